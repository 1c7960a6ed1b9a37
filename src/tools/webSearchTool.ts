import { limits, type JsonObject } from "../base";
import { byteCount } from "./cutText";
import { webSearchShape } from "./harnessShapes";
import { toolFromShape } from "./nativeDefinition";
import type { Tool } from "./tool";
import { shownText } from "./webSpill";
import { resultsText, type WebSearchResult } from "./webText";

/** What a search found, from whatever searched. */
export interface WebSearchAnswer {
  /** What the searcher says itself, where it says more than a list. */
  readonly answer?: string;
  readonly results: readonly WebSearchResult[];
}

/** Whatever can search. */
export interface WebSearchSource {
  /** Who searches, for a person: a host, a model. */
  readonly name: string;
  /** Recorded results: nothing is searched. Told in the value and in its text. */
  readonly fixture?: true;
  /** @throws WebError; whatever a model's failure is; an AbortError when stopped */
  search(searchTerm: string, signal: AbortSignal): Promise<WebSearchAnswer>;
}

/** `webSearch` (docs/tools.md, section 11) by the given source. */
export function webSearchTool(source: WebSearchSource): Tool {
  return toolFromShape(webSearchShape, async (input, call) => {
    const searchTerm = input["searchTerm"] as string;
    const { answer, results } = await source.search(searchTerm, call.signal);
    const told: JsonObject = {
      searchTerm,
      source: source.name,
      ...(source.fixture === true ? { fixture: true } : {}),
    };
    const shown = results.slice(0, limits.webSearchResults);
    const text = resultsText(answer, shown);
    if (byteCount(text) > limits.webInlineBytes) return { ...told, ...(await shownText(text, call)) };
    return { ...told, ...(answer === undefined ? {} : { answer }), results: shown };
  });
}
