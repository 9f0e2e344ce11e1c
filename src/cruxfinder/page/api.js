/** The server's API: JSON in and out, problems as errors that say what to do. */

const TOKEN_KEY = "cruxfinder-token";

/** A problem the server told of, or that it could not be reached (status 0). */
export class Problem extends Error {
  constructor(status, title, detail, body) {
    super(detail || title);
    this.name = "Problem";
    this.status = status;
    this.title = title;
    this.detail = detail || "";
    this.body = body ?? {};
  }
}

/** Takes a token from the address (#token=…), keeps it for this tab and leaves the address without it. */
export function takeToken() {
  const found = /(?:^#|[&?#])token=([^&]+)/.exec(location.hash);
  if (!found) return;
  try {
    sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(found[1]));
  } catch {
    // Without storage the token cannot be kept; the server will then say that one is needed.
  }
  const rest = location.hash.replace(/[&?#]?token=[^&]+/, "").replace(/^#?&?/, "#");
  history.replaceState(null, "", `${location.pathname}${location.search}${rest === "#" ? "#/" : rest}`);
}

/** Keeps a token that was typed in. */
export function keepToken(token) {
  sessionStorage.setItem(TOKEN_KEY, token);
}

/** The headers that say who asks. */
export function tokenHeaders() {
  let token = null;
  try {
    token = sessionStorage.getItem(TOKEN_KEY);
  } catch {
    return {};
  }
  // What no header can carry is no token; the server then asks for one.
  return /^[\x21-\x7e]+$/.test(token ?? "") ? { Authorization: `Bearer ${token}` } : {};
}

/** An answer that is not what was hoped for, as an error. */
export async function problemOf(response) {
  let body = {};
  try {
    body = await response.json();
  } catch {
    // A proxy may answer in HTML; the status tells enough.
  }
  return new Problem(response.status, body.title || response.statusText || `Status ${response.status}`, body.detail, body);
}

async function asked(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { ...tokenHeaders(), ...options.headers }, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer", "It may have been stopped. Start it again with: crux serve");
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function bodyOf(response) {
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

/**
 * Reads JSON.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export async function getJson(path, signal) {
  return bodyOf(await asked(path, { headers: { Accept: "application/json" }, signal }));
}

/**
 * Sends JSON and reads the answer's.
 * @param {string} path
 * @param {object} body
 */
export async function postJson(path, body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return bodyOf(await asked(path, { method: "POST", headers, body: JSON.stringify(body ?? {}) }));
}

/**
 * Fetches a file with the token, and hands it to the browser to keep: a plain link could not carry the token.
 * The server says what it is called.
 * @param {string} path
 */
export async function download(path) {
  const response = await asked(path, { headers: {} });
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name ?? "";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The path of a run's resource. */
export function runPath(id, rest) {
  return `/api/debates/${encodeURIComponent(id)}${rest ?? ""}`;
}
