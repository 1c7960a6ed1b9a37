import type { JsonObject, JsonValue } from "../base";
import { textFromShown } from "./webSpill";

/** One page a web search found. */
export interface WebSearchResult extends JsonObject {
  readonly title: string;
  readonly url: string;
  /** What the search says of it. */
  readonly snippet?: string;
}

/** What `webFetch` reads to a model; `undefined` for a value of another shape. */
export function webFetchText(value: JsonObject): string | undefined {
  const { url, finalUrl, title } = value;
  const text = textFromShown(value);
  if (typeof url !== "string" || text === undefined) return undefined;
  const from = typeof finalUrl === "string" ? `${url}, which led to ${finalUrl}` : url;
  const head = [`From ${from}:`, ...(typeof title === "string" ? [title] : [])];
  return `${head.join("\n")}\n\n${text}`;
}

/** What `webSearch` reads to a model; `undefined` for a value of another shape. */
export function webSearchText(value: JsonObject): string | undefined {
  const { results, answer, fixture } = value;
  const shown = textFromShown(value);
  if (!Array.isArray(results) && shown === undefined) return undefined;
  const parts = [
    ...(fixture === true ? [FIXTURE_WORDS] : []),
    shown ?? resultsText(typeof answer === "string" ? answer : undefined, results as readonly JsonValue[]),
  ];
  return parts.join("\n\n");
}

/** Said wherever recorded results stand in for a search. */
export const FIXTURE_WORDS =
  "These results were recorded with the product: nothing was searched, and they may be old. For live results a person " +
  "sets the address of a search service, or chooses a model that searches by itself.";

export function resultsText(answer: string | undefined, results: readonly JsonValue[]): string {
  const blocks = results.flatMap((result) => {
    if (result === null || typeof result !== "object" || Array.isArray(result)) return [];
    const { title, url, snippet } = result as Partial<WebSearchResult>;
    return [[title, url, snippet].filter((line) => typeof line === "string" && line !== "").join("\n")];
  });
  if (answer === undefined && blocks.length === 0) return "(no results)";
  return [...(answer === undefined ? [] : [answer]), ...blocks].join("\n\n");
}
