/** The page's way: which view belongs to the address, what is wrong, and light or dark. */

import { getJson, keepToken, takeToken } from "./api.js";
import { h } from "./dom.js";
import "./runs-list.js";
import "./start-form.js";
import "./run-view.js";
import "./seat-form.js";
import "./votes-view.js";
import "./gate-view.js";

const THEME_KEY = "cruxfinder-theme";
const PLACE_WAIT_MS = 250;
const view = document.getElementById("view");
const problems = document.getElementById("problems");
let shownRun = null;
let placeTimer = null;

function routeOf(hash) {
  const [path, query] = hash.replace(/^#/, "").split("?");
  const run = /^\/run\/([^/]+)$/.exec(path);
  if (!run) return { name: { "/votes": "votes", "/gate": "gate" }[path] ?? "debates" };
  const at = Number(new URLSearchParams(query ?? "").get("at") ?? Number.NaN);
  try {
    return { name: "run", id: decodeURIComponent(run[1]), at: Number.isInteger(at) && at >= 0 ? at : null };
  } catch {
    return { name: "nowhere" };
  }
}

function showRoute() {
  if (location.hash === "#main") return;
  takeToken();
  const route = routeOf(location.hash);
  if (route.name === "run" && route.id === shownRun) {
    clearTimeout(placeTimer); // the address was changed by hand: it is not to be put back
    view.querySelector("crux-run").goToEvent(route.at);
    return;
  }
  shownRun = route.name === "run" ? route.id : null;
  calm();
  mark(route.name);
  if (route.name === "run") showRun(route);
  else if (route.name === "votes") fillView("Votes", titled("Votes", "crux-votes"));
  else if (route.name === "gate") fillView("Gate", titled("Gate", "crux-gate"));
  else if (route.name === "nowhere") showNowhere();
  else fillView("Debates", h("div", { class: "home narrow" },
    h("section", { "aria-label": "Debates" }, h("crux-runs", null)), h("crux-start", null)));
}

function fillView(title, el) {
  document.title = `${title} · Cruxfinder`;
  view.replaceChildren(el);
}

function showNowhere() {
  fillView("Not found", h("p", { class: "empty-state" }, h("a", { href: "#/" }, "All debates")));
  trouble({ status: 404, title: "Not found", detail: "No debate has this address." });
}

function titled(title, tag) {
  return h("div", { class: "narrow" }, h("h1", { class: "visually-hidden" }, title), h(tag, null));
}

function showRun(route) {
  const run = h("crux-run", null);
  fillView("Debate", run);
  run.addEventListener("topic", (event) => { document.title = `${event.detail} · Cruxfinder`; });
  run.addEventListener("place", (event) => keepPlace(route.id, event.detail));
  run.addEventListener("forked", (event) => { location.hash = `#/run/${encodeURIComponent(event.detail.id)}`; });
  run.load({ id: route.id, live: true, at: route.at });
}

/** The place goes into the address once the reader rests there: browsers limit how often it may change. */
function keepPlace(id, n) {
  clearTimeout(placeTimer);
  placeTimer = setTimeout(() => {
    if (shownRun !== id) return;
    history.replaceState(null, "", `#/run/${encodeURIComponent(id)}${n === null ? "" : `?at=${n}`}`);
  }, PLACE_WAIT_MS);
}

function mark(name) {
  for (const link of document.querySelectorAll(".page-nav a")) {
    const here = link.dataset.route === name || (name === "run" && link.dataset.route === "debates");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function calm() {
  if (problems.firstChild) problems.replaceChildren();
}

/** A problem as a banner that says what can be done about it. */
function trouble(problem) {
  if (problem.status === 401) {
    askToken();
    return;
  }
  const away = problem.status === 0 || problem.name === "TypeError";
  const words = away ? ["The server does not answer.", "It may have been stopped. This page tries again by itself."]
    : [`${problem.title ?? "Something went wrong"}.`, problem.detail ?? problem.message];
  problems.replaceChildren(h("div", { class: "banner", role: "alert" }, h("strong", null, words[0]), h("span", null, words[1])));
}

function askToken() {
  if (problems.querySelector("form")) return;
  const input = h("input", { type: "password", autocomplete: "off", "aria-label": "Token", required: true });
  const form = h("form", { class: "banner quiet", on: { submit: (event) => {
    event.preventDefault();
    keepToken(input.value.trim());
    problems.replaceChildren();
    shownRun = null;
    showRoute();
  } } }, h("strong", null, "This server asks for a token."), h("span", null, "Whoever started the server knows it."),
  h("span", { class: "field" }, input), h("button", { class: "button primary", type: "submit" }, "Use it"));
  problems.replaceChildren(form);
}

function showTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function switchTheme() {
  const dark = document.documentElement.dataset.theme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const next = dark ? "light" : "dark";
  showTheme(next);
  try {
    localStorage.setItem(THEME_KEY, next);
  } catch {
    // It holds for this page then.
  }
}

showTheme(storedTheme());
document.getElementById("theme").addEventListener("click", switchTheme);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
view.addEventListener("trouble", (event) => trouble(event.detail));
view.addEventListener("calm", calm);
view.addEventListener("begin", () => {
  const form = view.querySelector("crux-start form");
  form?.scrollIntoView();
  form?.querySelector("input")?.focus({ preventScroll: true });
});
window.addEventListener("hashchange", showRoute);
getJson("/api/health").catch(trouble);
showRoute();
