// Reads documents with Argdown's own parser. In: a JSON list of texts. Out: for each its faults and what was understood.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const entry = join(folder, "@argdown", "core", "dist", "index.js");
const { argdown } = await import(pathToFileURL(entry));
const RELATIONS = { support: "+", attack: "-", entails: "+", contrary: "-", contradictory: "><", undercut: "_" };

function told(item) {
  const members = item.members ?? [];
  const texts = members.map((member) => member.text).filter(Boolean);
  return { title: item.title, text: texts[0] ?? null, tags: item.tags ?? [], data: item.data ?? {} };
}

function read(input) {
  const request = { input, process: ["parse-input", "build-model", "build-map"], logLevel: "silent" };
  const response = argdown.run(request);
  const faults = [...response.lexerErrors, ...response.parserErrors, ...(response.exceptions ?? [])];
  return {
    faults: faults.map((fault) => fault.message),
    frontMatter: response.frontMatter ?? {},
    statements: Object.values(response.statements ?? {}).map(told),
    arguments: Object.values(response.arguments ?? {}).map(told),
    relations: (response.relations ?? []).map((relation) => ({
      kind: RELATIONS[relation.relationType] ?? relation.relationType,
      from: relation.from?.title ?? null,
      to: relation.to?.title ?? null,
    })),
  };
}

const texts = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(texts.map(read)));
