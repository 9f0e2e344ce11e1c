// Reads flowcharts with Mermaid's own parser. In: a JSON list of texts. Out: for each its fault, nodes and edges.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const load = (...path) => import(pathToFileURL(join(folder, ...path)));

// Without a page DOMPurify is a function without methods, and the parser calls it for every label. It cleans what is
// drawn and takes no part in the grammar: here labels pass through it as they are.
const { default: purifier } = await load("dompurify", "dist", "purify.es.mjs");
if (!purifier.isSupported) Object.assign(purifier, { addHook() {}, sanitize: (text) => text });

const { default: mermaid } = await load("mermaid", "dist", "mermaid.core.mjs");
mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true });

const decoded = (text) =>
  (text ?? "")
    .replaceAll("<br/>", "\n")
    .replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));

async function read(text) {
  try {
    const { diagramType } = await mermaid.parse(text);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
    return {
      fault: null,
      type: diagramType,
      title: db.getDiagramTitle(),
      nodes: [...db.getVertices().values()].map((n) => ({ id: n.id, text: decoded(n.text), classes: n.classes })),
      edges: db.getEdges().map((e) => ({ from: e.start, to: e.end, text: decoded(e.text), type: e.type })),
      groups: db.getSubGraphs().map((g) => ({ id: g.id, title: decoded(g.title), nodes: g.nodes })),
    };
  } catch (error) {
    return { fault: String(error?.message ?? error) };
  }
}

const found = [];
for (const text of JSON.parse(readFileSync(0, "utf8"))) found.push(await read(text));
process.stdout.write(JSON.stringify(found));
