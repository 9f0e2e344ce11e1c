/** Follows a log over a line that is cut again and again, with the page's own client; tells what came through. */

import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const { follow, frameReader, gather } = await import(pathToFileURL(process.argv[2]));
const { LiveSource } = await import(pathToFileURL(process.argv[3]));
const TOTAL = 300;
const WITHHELD = new Set([7, 8, 120]);

/** The same numbers on every run: where a line is cut is part of the test. */
function dice(seed) {
  let x = seed;
  return (below) => {
    x = (x * 1103515245 + 12345) % 2147483648;
    return x % below;
  };
}

const roll = dice(7);
const seen = { requests: 0, from: [] };
let over = false;

function frame(n) {
  const event = { kind: "message_posted", at_ms: n, content: `ünï ${n}\u2028 "data: x"` };
  return `id: ${n}\ndata: ${JSON.stringify({ v: 1, n, event })}\n\n`;
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  if (url.pathname.includes("/missing/")) {
    const problem = { title: "No such run", status: 404, detail: "there is none" };
    response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
    return;
  }
  if (url.pathname.includes("/silent/")) {
    silent.asked += 1;
    if (silent.asked > SILENT_TIMES) response.writeHead(204).end();
    return;
  }
  if (url.pathname.includes("/unlucky")) {
    sendUnlucky(request, response, url);
    return;
  }
  const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
  seen.requests += 1;
  seen.from.push(after);
  if (over && after >= TOTAL) {
    response.writeHead(204).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  send(response, after);
});

/** It never answers at first. */
const SILENT_TIMES = 2;
const silent = { asked: 0 };

/** Its line is cut after the last event and before the end is told; what was withheld is sent to who begins anew. */
function sendUnlucky(request, response, url) {
  const event = (n) => ({ kind: n === UNLUCKY_TOTAL ? "debate_complete" : "noted", at_ms: n, ending: "natural", verdict: "crux" });
  const line = (n) => `id: ${n}\ndata: ${JSON.stringify({ v: 1, n, event: event(n) })}\n\n`;
  if (!url.pathname.endsWith("/events")) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ state: "running", why: "", waiting: [] }));
    return;
  }
  unlucky.from.push(Number(request.headers["last-event-id"] ?? url.searchParams.get("after")));
  if (unlucky.from.at(-1) >= UNLUCKY_TOTAL) {
    response.writeHead(204).end();
    return;
  }
  const numbers = Array.from({ length: UNLUCKY_TOTAL }, (_, at) => at + 1);
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (unlucky.from.length > 1) response.end(`${numbers.map(line).join("")}event: end\ndata: {"v":1,"withheld":0}\n\n`);
  else response.write(numbers.filter((n) => !UNLUCKY_WITHHELD.has(n)).map(line).join(""), () => response.destroy());
}

const UNLUCKY_TOTAL = 12;
const UNLUCKY_WITHHELD = new Set([3, 7]);
const unlucky = { from: [] };

/** What was sent before may come again after a cut: the client has to drop it. */
function send(response, after) {
  let text = 'retry: 1000\n\nevent: status\ndata: {"v":1,"state":"running","why":"","waiting":[]}\n\n: keep-alive\n\n';
  const from = Math.max(1, after - 2);
  const to = over ? TOTAL : Math.min(TOTAL, after + 20 + roll(60));
  for (let n = from; n <= to; n += 1) if (over || !WITHHELD.has(n)) text += frame(n);
  const last = to === TOTAL;
  if (last) text += `event: end\ndata: {"v":1,"withheld":${over ? 0 : WITHHELD.size}}\n\n`;
  const bytes = Buffer.from(text);
  const cut = last ? bytes.length : bytes.length - roll(40);
  let at = 0;
  const next = () => {
    if (at >= cut) {
      if (last) response.end();
      else response.destroy();
      return;
    }
    const size = 1 + roll(900);
    response.write(bytes.subarray(at, Math.min(cut, at + size)));
    at += size;
    setImmediate(next);
  };
  next();
}

await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const place = `http://127.0.0.1:${server.address().port}`;
const plainFetch = globalThis.fetch;
globalThis.fetch = (path, options) => plainFetch(place + path, options);

/** Back-offs are waited for, but not at their full length; nor is a line that is silent. */
const plainTimeout = globalThis.setTimeout;
const waits = [];
globalThis.setTimeout = (act, ms, ...rest) => {
  if (ms <= 5000 && ms >= 500) waits.push(ms);
  return plainTimeout(act, ms > 5000 ? ms / 100 : ms >= 500 ? 1 : ms, ...rest);
};

function followed(id) {
  return new Promise((resolve) => {
    const told = { numbers: [], contents: 0, withheld: null, problem: null, states: new Set() };
    follow(id, {
      onFrames: (frames) => {
        told.numbers.push(...frames.map((f) => f.n));
        told.contents += frames.filter((f) => f.event.content === `ünï ${f.n}\u2028 "data: x"`).length;
      },
      onStatus: (status) => { told.status = status.state; },
      onEnd: (withheld) => { told.withheld = withheld; },
      onConnection: (state, problem) => {
        told.states.add(state);
        if (problem) told.problem = problem.status ?? told.problem;
        if (state === "closed") resolve({ ...told, states: [...told.states] });
      },
    });
  });
}

const cutAnywhere = () => {
  const whole = `: hi\n\n${frame(1)}event: status\r\ndata: {"a":\r\ndata: 1}\r\n\r\n${frame(2)}`;
  const counts = new Set();
  for (let size = 1; size <= whole.length; size += 1) {
    const got = [];
    const take = frameReader((f) => got.push(`${f.event} ${f.data}`));
    for (let at = 0; at < whole.length; at += size) take(whole.slice(at, at + size));
    counts.add(JSON.stringify(got));
  }
  return [...counts].map((text) => JSON.parse(text));
};

/** What a page has of a run whose line was cut just before its end. */
function shownOf(id) {
  return new Promise((resolve) => {
    const source = new LiveSource(id, {
      onChange: () => {
        if (source.connection === "closed" && source.tape.length === UNLUCKY_TOTAL) give();
      },
      onTrouble: () => {},
      onCalm: () => {},
    });
    const give = () => {
      source.stop();
      resolve(source.tape.frames.map((f) => f.n));
    };
    source.start();
    plainTimeout(() => give(), 5000).unref();
  });
}

/** A reader who leaves while the run is still being read. */
async function leave(id) {
  const reader = new AbortController();
  const asked = silent.asked;
  const found = gather(id, reader.signal);
  while (silent.asked === asked) await new Promise((resolve) => plainTimeout(resolve, 1));
  reader.abort();
  const gathered = await found;
  const already = await gather(id, reader.signal);
  const since = silent.asked;
  await new Promise((resolve) => plainTimeout(resolve, 50));
  return { gathered, already, askedAgain: silent.asked - since };
}

const stays = new AbortController().signal;
const live = await followed("run");
over = true;
const all = await gather("run", stays);
const missing = await followed("missing");
const broken = await gather("missing", stays);
const left = await leave("silent");
silent.asked = 0;
const quiet = await followed("silent");
const shown = await shownOf("unlucky");
process.stdout.write(JSON.stringify({
  live, all: all.map((f) => f.n), missing, broken, pieces: cutAnywhere(), requests: seen.requests, total: TOTAL,
  withheld: [...WITHHELD], longestWait: Math.max(...waits), shortestWait: Math.min(...waits),
  left, quiet, silentAsked: silent.asked, silentTimes: SILENT_TIMES,
  unlucky: { shown, from: unlucky.from, total: UNLUCKY_TOTAL },
}));
server.close();
server.closeAllConnections();
