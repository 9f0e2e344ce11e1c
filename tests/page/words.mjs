/** Tells the words the page has for things: words.js comes in as a path, they go out as JSON. */

import { pathToFileURL } from "node:url";

const words = await import(pathToFileURL(process.argv[2]));
const asked = JSON.parse(process.argv[3]);
const thread = (status) => ({ status, stage: "EVIDENCE", mergedInto: "t1" });
const told = (names, wordOf) => Object.fromEntries(names.map((name) => [name, wordOf(name)]));

process.stdout.write(JSON.stringify({
  headlines: words.HEADLINES, endings: words.ENDINGS, sides: told(asked.sides, words.sideWord),
  stages: told(asked.stages, words.stageName), threads: told(asked.statuses, (status) => words.threadWord(thread(status))),
  runs: told(asked.runs, (state) => words.runStands(state).word),
}));
