// Records what ripgrep answers to every case over the corpus: `node src/fs/grep/ripgrep/record.mjs`. The comparison
// (ripgrep.test.ts) then runs where there is no ripgrep.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const corpus = JSON.parse(readFileSync(join(here, "corpus.json"), "utf8"));
const cases = readFileSync(join(here, "cases.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const folder = mkdtempSync(join(tmpdir(), "ripgrep-corpus-"));

function writeCorpus() {
  for (const [path, contents] of Object.entries(corpus)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytesOf(contents));
  }
}

/** Contents are text, bytes in base64, or pieces of text with how often each comes. */
function bytesOf(contents) {
  if (typeof contents === "string") return contents;
  if (contents.parts) return contents.parts.map(([text, count]) => text.repeat(count)).join("");
  return Buffer.from(contents.base64, "base64");
}

function argumentsOf(query) {
  return [
    "--json",
    "--no-config",
    "--hidden",
    "--no-ignore",
    "--sort=path",
    ...(query.caseInsensitive ? ["-i"] : []),
    ...(query.multiline ? ["-U"] : []),
    ...(query.crlf ? ["--crlf"] : []),
    ...(query.contextBefore ? ["-B", String(query.contextBefore)] : []),
    ...(query.contextAfter ? ["-A", String(query.contextAfter)] : []),
    ...(query.glob ? ["-g", query.glob] : []),
    ...(query.type ? ["-t", query.type] : []),
    "-e",
    query.pattern,
    query.path ?? "./",
  ];
}

/** Line numbers of the hits and of the context by path. */
function record(query) {
  const run = spawnSync("rg", argumentsOf(query), { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (run.status === 2) return { isError: true };
  const answer = { match: {}, context: {} };
  const binary = new Set();
  for (const { type, data } of run.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))) {
    if (type === "end" && data.binary_offset !== null) binary.add(data.path.text);
    if (type !== "match" && type !== "context") continue;
    const text = data.lines.text ?? new TextDecoder().decode(Buffer.from(data.lines.bytes, "base64"));
    const numbers = text
      .replace(/\n$/, "")
      .split("\n")
      .map((_line, index) => data.line_number + index);
    (answer[type][data.path.text] ??= []).push(...numbers);
  }
  // What ripgrep shows of a file before it notices that it is binary depends on its buffers.
  const texts = (kind) =>
    Object.fromEntries(
      Object.entries(answer[kind])
        .filter(([path]) => !binary.has(path))
        .map(([path, numbers]) => [path.replace(/^(?:\.\/)?/, "/"), numbers]),
    );
  return { hits: texts("match"), context: texts("context") };
}

writeCorpus();
const version = execFileSync("rg", ["--version"], { encoding: "utf8" }).split("\n")[0];
const rows = cases.map((query) => JSON.stringify({ query, answer: record(query) }));
writeFileSync(join(here, "recorded.ndjson"), `${[JSON.stringify({ version }), ...rows].join("\n")}\n`);
rmSync(folder, { recursive: true });
process.stdout.write(`${rows.length} cases recorded from ${version}\n`);
