/** Tells the words the page has for things: the folder of its modules comes in as a path, they go out as JSON. */

import { pathToFileURL } from "node:url";

const words = await import(pathToFileURL(process.argv[2]));
const asked = JSON.parse(process.argv[3]);
const thread = (status) => ({ status, stage: "EVIDENCE", mergedInto: "t1" });

process.stdout.write(JSON.stringify({
  words: Object.fromEntries(Object.entries(asked.words).map(([kind, values]) => (
    [kind, Object.fromEntries(values.map((value) => [value, words.wordFor(kind, value)]))]
  ))),
  sides: Object.fromEntries(asked.words.sides.map((side) => [side, words.sideWord(side)])),
  threads: Object.fromEntries(asked.words.statuses.map((status) => [status, words.threadWord(thread(status))])),
  shares: Object.fromEntries([-0.2, 0.78, 1, 1.004, 1.006, 1.34].map((share) => [share, words.shareMeaning(share)])),
  runs: Object.fromEntries(asked.words.runStates.map((state) => [state, words.runStands(state)])),
}));
