import { realTexts } from "./corpus.mjs";

const FUNCTION =
  /^(?:export\s+)?(?:declare\s+)?(?:default\s+)?(?:async\s+)?(?:function\s*\*?\s+|const\s+(?=\w+\s*(?::[^=]+)?=\s*(?:async\s*)?\())([A-Za-z_$][\w$]*)/;
const MAX_FUNCTIONS = 1_338;

/**
 * The functions of TypeScript sources among the installed packages, and for those with a doc comment the question that
 * its first sentence is. The comments are taken out of the sources, so that they are not simply found again.
 * @param {string} folder
 */
export function searchSet(folder) {
  /** @type {Record<string, string>} */
  const files = {};
  const functions = [];
  const cases = [];
  const sources = realTexts(folder, Infinity).filter(({ path }) => /(?<!\.d)\.tsx?$/.test(path));
  for (const { path, bytes } of sources) {
    if (functions.length >= MAX_FUNCTIONS) break;
    const { text, found } = withoutComments(bytes.toString("utf8"));
    if (found.length === 0) continue;
    files[`/${path}`] = text;
    const lines = text.split("\n");
    for (const { name, line, query } of found) {
      functions.push({ name, path: `/${path}`, line, text: bodyFrom(lines, line - 1) });
      if (query !== undefined) cases.push({ query, path: `/${path}`, line });
    }
  }
  return { files, functions, cases };
}

/** @param {string} source */
function withoutComments(source) {
  const lines = [];
  const found = [];
  let comment = "";
  let isInComment = false;
  for (const line of source.split("\n")) {
    if (/^\s*\/\*\*/.test(line)) {
      isInComment = true;
      comment = "";
    }
    if (isInComment) {
      comment += `${line}\n`;
      if (line.includes("*/")) isInComment = false;
      continue;
    }
    lines.push(line);
    const name = FUNCTION.exec(line)?.[1];
    if (name !== undefined) found.push({ name, line: lines.length, query: firstSentence(comment) });
    if (line.trim() !== "") comment = "";
  }
  return { text: lines.join("\n"), found };
}

/** @param {string} comment */
function firstSentence(comment) {
  const text = comment
    .replace(/^\s*\/\*\*|\*\/\s*$/g, "")
    .replace(/^\s*\* ?/gm, "")
    .split(/\n\s*@|\n\s*\n/)[0]
    ?.replace(/\{@link\s+([^}]*)\}/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = text?.split(/(?<=[.!?])\s/)[0] ?? "";
  return sentence.split(" ").length >= 4 && !sentence.startsWith("@") ? sentence : undefined;
}

/** @param {string[]} lines @param {number} first */
function bodyFrom(lines, first) {
  const end = lines.findIndex((line, index) => index > first && /^[)}\]]/.test(line) && !/^[)\]}].*\{\s*$/.test(line));
  return lines.slice(first, end < 0 ? first + 40 : end + 1).join("\n");
}
