/** The entry of a report: the run lies in the file itself, and nothing is asked of any server. */

import { h } from "./dom.js";
import "./run-view.js";

const embedded = JSON.parse(document.getElementById("run").textContent);
const shownReport = h("crux-run", null);
document.getElementById("main").append(shownReport);
shownReport.load({ id: embedded.id, live: false, frames: embedded.frames, result: embedded.result, brief: embedded.brief });
