/**
 * A run's events as they are committed, over fetch: EventSource cannot send the token.
 * Reconnects by itself, and never gives an event twice or out of order.
 */

import { problemOf, runPath, tokenHeaders } from "./api.js";

const BACK_OFF_MS = 500;
const BACK_OFF_MAX_MS = 5000;
/** The server sends a comment every 15 s; three of them missing means the line is dead. */
const SILENCE_MAX_MS = 45_000;

/**
 * Cuts a stream of text into its frames, whatever the pieces it comes in.
 * @param {(frame: {event: string, data: string}) => void} onFrame
 * @returns {(piece: string) => void}
 */
export function frameReader(onFrame) {
  let rest = "";
  let kind = "message";
  let data = [];
  const line = (text) => {
    if (text === "") {
      if (data.length) onFrame({ event: kind, data: data.join("\n") });
      kind = "message";
      data = [];
    } else if (text.startsWith("data:")) data.push(text.slice(5).replace(/^ /, ""));
    else if (text.startsWith("event:")) kind = text.slice(6).trim();
  };
  return (piece) => {
    rest += piece;
    // A carriage return at the very end may be half of a line break: it waits for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    lines.forEach(line);
  };
}

/**
 * Follows a run until it is over.
 * @param {string} id
 * @param {object} told
 * @param {(frames: {n: number, event: object, line: object}[]) => void} told.onFrames in order, each once
 * @param {(status: object) => void} told.onStatus {state, why, waiting}
 * @param {(withheld: number) => void} told.onEnd the run is over and everything was sent
 * @param {(state: "connecting"|"open"|"waiting"|"closed", problem?: Error) => void} told.onConnection
 * @param {number} [after] the last event known already
 * @returns {() => void} stops following
 */
export function follow(id, told, after = 0) {
  const line = { id, told, last: after, tries: 0, done: false, abort: null, wake: null };
  keepListening(line);
  return () => {
    line.done = true;
    line.abort?.abort();
    line.wake?.();
  };
}

/**
 * Everything of a run that is over, from its first event.
 * @param {string} id
 * @param {AbortSignal} signal gives up
 * @returns {Promise<{n: number, event: object, line: object}[]|null>} nothing where it could not be read
 */
export function gather(id, signal) {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const all = [];
    let whole = false;
    const stop = follow(id, {
      onFrames: (frames) => all.push(...frames),
      onStatus: () => {},
      onEnd: () => { whole = true; },
      onConnection: (state) => { if (state === "closed") resolve(whole ? all : null); },
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}

async function keepListening(line) {
  while (!line.done) {
    line.told.onConnection("connecting");
    let problem = null;
    try {
      problem = await connectOnce(line);
    } catch (error) {
      problem = error;
    }
    if (line.done) break;
    if (problem && [400, 401, 403, 404, 422].includes(problem.status)) {
      line.done = true;
      line.told.onConnection("closed", problem);
      return;
    }
    line.told.onConnection("waiting", problem ?? undefined);
    await backOff(line, Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** line.tries));
    line.tries += 1;
  }
  line.told.onConnection("closed");
}

/** One connection, to its end. Gives the problem the server answered with, if it did. */
async function connectOnce(line) {
  line.abort = new AbortController();
  const headers = { Accept: "text/event-stream", ...tokenHeaders() };
  if (line.last > 0) headers["Last-Event-ID"] = String(line.last);
  const query = line.last === 0 ? "?after=0" : "";
  const silence = setTimeout(() => line.abort.abort(), SILENCE_MAX_MS);
  let response;
  try {
    response = await fetch(runPath(line.id, `/events${query}`), { headers, signal: line.abort.signal, cache: "no-store" });
    if (response.status !== 204 && !response.ok) return await problemOf(response);
  } finally {
    clearTimeout(silence);
  }
  if (response.status === 204) {
    streamOver(line, 0);
    return null;
  }
  line.told.onConnection("open");
  await readLines(line, response.body.getReader());
  return null;
}

async function readLines(line, reader) {
  const text = new TextDecoder();
  let batch = [];
  const take = frameReader((frame) => {
    if (frame.event === "message") takeFrame(line, batch, frame.data);
    else {
      batch = handOn(line, batch);
      takeApart(line, frame);
    }
  });
  let timer = null;
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => line.abort.abort(), SILENCE_MAX_MS);
      const { value, done } = await reader.read();
      if (done || line.done) break;
      take(text.decode(value, { stream: true }));
      batch = handOn(line, batch);
      line.tries = 0;
    }
  } finally {
    clearTimeout(timer);
    handOn(line, batch);
    reader.cancel().catch(() => {});
  }
}

function takeFrame(line, batch, data) {
  const frame = JSON.parse(data);
  if (frame.n <= line.last) return;
  line.last = frame.n;
  batch.push({ n: frame.n, event: frame.event, line: frame.line });
}

function handOn(line, batch) {
  if (batch.length) line.told.onFrames(batch);
  return [];
}

function takeApart(line, frame) {
  if (frame.event === "status") line.told.onStatus(JSON.parse(frame.data));
  if (frame.event === "end") streamOver(line, JSON.parse(frame.data).withheld ?? 0);
}

function streamOver(line, withheld) {
  line.done = true;
  line.told.onEnd(withheld);
}

function backOff(line, ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    line.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
