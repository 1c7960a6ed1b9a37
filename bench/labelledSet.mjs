import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The package whose documentation and source are searched. Both come with it, and its version is pinned. */
const PACKAGE = "ai";
const FEWEST_WORDS = 4;

/** @typedef {{ query: string, grades: Record<string, number> }} LabelledCase */
/** @typedef {{ path: string, address: string, title: string, description: string, body: string }} Page */

/**
 * Questions with graded answers, made from a real package by rule:
 *
 * - A page of its reference that is about one export asks with the first sentence about it, its name left out. The source
 *   file that declares the export is worth 3, the page 2 (3 where no source declares it), every page that links to it 1.
 * - Any other page that is no index asks with the description in its head. The page is worth 3, every page it links to 1.
 *
 * What a page asks with is taken out of it, heads of pages too: no question finds its own words.
 * @param {string} folder
 * @returns {{ files: Record<string, string>, cases: LabelledCase[] }}
 */
export function labelledSet(folder) {
  const root = join(folder, PACKAGE);
  const sources = filesBelow(root, "src", /(?<!\.test)\.tsx?$/);
  const pages = filesBelow(root, "docs", /\.mdx?$/).map(pageFromFile);
  const files = Object.fromEntries(sources.map(([path, text]) => [path, text]));
  /** @type {LabelledCase[]} */
  const cases = [];
  for (const page of pages) {
    const isReference = page.address.startsWith("/docs/reference/") && /^\w+$/.test(page.title);
    const asked = isReference ? referenceCase(page, pages, sources) : guideCase(page, pages);
    files[page.path] = asked?.sentence === undefined ? page.body : page.body.replace(asked.sentence, "");
    if (asked !== undefined) cases.push(asked.labelled);
  }
  return { files, cases };
}

/** @param {Page} page @param {Page[]} pages @param {[string, string][]} sources */
function referenceCase(page, pages, sources) {
  const sentence = firstSentence(page.body);
  const name = page.title.replace(/^(?:AI_|experimental_)/i, "");
  const query =
    sentence &&
    plainText(sentence)
      .replace(new RegExp(`\\b(?:${page.title}|${name})\\b`, "g"), "")
      .trim();
  if (!query || wordCount(query) < FEWEST_WORDS) return undefined;
  const declares = new RegExp(
    `^export (?:abstract |async )*(?:function\\*?|class|const|interface|type) ${name}\\b`,
    "m",
  );
  const declaring = sources.filter(([, text]) => declares.test(text)).map(([path]) => path);
  const linking = pages.filter((other) => other !== page && linksOf(other).includes(page.address));
  /** @type {Record<string, number>} */
  const grades = Object.fromEntries(linking.map(({ path }) => [path, 1]));
  grades[page.path] = declaring.length === 0 ? 3 : 2;
  for (const path of declaring) grades[path] = 3;
  return { sentence, labelled: { query, grades } };
}

/** @param {Page} page @param {Page[]} pages */
function guideCase(page, pages) {
  if (wordCount(page.description) < FEWEST_WORDS || /\/index\.mdx?$/.test(page.path)) return undefined;
  const links = linksOf(page);
  const linked = pages.filter((other) => other !== page && links.includes(other.address));
  const grades = { ...Object.fromEntries(linked.map(({ path }) => [path, 1])), [page.path]: 3 };
  return { sentence: undefined, labelled: { query: page.description, grades } };
}

/**
 * Files as paths in a tree of their own, with their texts, in order.
 * @param {string} root @param {string} folder @param {RegExp} name
 * @returns {[path: string, text: string][]}
 */
function filesBelow(root, folder, name) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path, name);
    return name.test(path) ? [[`/${path}`, readFileSync(join(root, path), "utf8")]] : [];
  });
}

/** @param {[path: string, text: string]} file @returns {Page} */
function pageFromFile([path, text]) {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const field = (/** @type {string} */ name) =>
    new RegExp(`^${name}: *["']?(.*?)["']?$`, "m").exec(head?.[1] ?? "")?.[1] ?? "";
  // Pages link to each other by their names without numbers.
  const address = path.replace(/\/\d+-/g, "/").replace(/(?:\/index)?\.mdx?$/, "");
  return {
    path,
    address,
    title: field("title"),
    description: field("description"),
    body: text.slice(head?.[0].length ?? 0),
  };
}

/** @param {Page} page */
function linksOf({ body }) {
  return [...body.matchAll(/\]\((\/docs\/[^)#]*)/g)].map(([, address]) => address);
}

/** The first sentence of prose under the first heading, as it is written. @param {string} body */
function firstSentence(body) {
  const paragraphs = body.replace(/```[\s\S]*?```/g, "").split(/\n\s*\n/);
  const heading = paragraphs.findIndex((paragraph) => /^#\s/m.test(paragraph));
  const prose = paragraphs.slice(heading + 1).find((paragraph) => /^[A-Z`[*]/.test(paragraph.trim()));
  return prose === undefined ? undefined : /^[\s\S]*?[.!?:](?=\s|$)/.exec(prose.trim())?.[0];
}

/** @param {string} markdown */
function plainText(markdown) {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** @param {string} text */
function wordCount(text) {
  return text.split(/\s+/).filter(Boolean).length;
}
