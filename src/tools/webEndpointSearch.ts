import { limits, type JsonObject, type JsonValue } from "../base";
import { firstCharacters } from "./cutText";
import { WebError } from "./webError";
import { webAddress, webRequest } from "./webRequest";
import type { WebSearchAnswer, WebSearchSource } from "./webSearchTool";
import type { WebSearchResult } from "./webText";

export interface EndpointSearchOptions {
  /** The address a person named; it may have a query of its own, to which `q` is added. */
  readonly endpoint: string;
  /** The key bound to that address, where there is one; asked for at each search. */
  readonly key: () => string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A search service that speaks the contract of docs/tools.md, section 11: `GET {endpoint}?q=…` answers
 * `{ results: [{ title, url, snippet }], answer? }`.
 */
export function endpointSearch({ endpoint, key, fetch }: EndpointSearchOptions): WebSearchSource {
  return {
    name: URL.canParse(endpoint) ? new URL(endpoint).host : endpoint,
    async search(searchTerm, signal) {
      const url = webAddress(endpoint);
      url.searchParams.set("q", searchTerm);
      const secret = key();
      const headers: Record<string, string> = { accept: "application/json" };
      if (secret !== undefined) headers["authorization"] = `Bearer ${secret}`;
      // A redirect could carry the key to another origin, and no service of this contract needs one.
      const options = { signal, fetch, headers, refusesRedirects: true };
      const { bytes } = await webRequest(url, options, () => true);
      return answerFrom(new TextDecoder().decode(bytes), url);
    },
  };
}

function answerFrom(text: string, url: URL): WebSearchAnswer {
  const value = parsed(text);
  const list = value?.["results"];
  if (!Array.isArray(list)) {
    const words = `${url.origin} answered something else than { "results": [{ "title", "url", "snippet" }] }.`;
    throw new WebError("bad-answer", words, url.href);
  }
  const { answer } = value as JsonObject;
  return {
    ...(typeof answer === "string" && answer !== "" ? { answer } : {}),
    results: list.flatMap((item) => resultFrom(item as JsonValue)),
  };
}

/** The words other services use for a passage are read too. */
function resultFrom(item: JsonValue): WebSearchResult[] {
  if (item === null || typeof item !== "object" || Array.isArray(item)) return [];
  const { title, url, snippet, content, description } = item as JsonObject;
  if (typeof url !== "string") return [];
  const passage = [snippet, content, description].find((text) => typeof text === "string" && text !== "");
  return [
    {
      title: typeof title === "string" && title !== "" ? title : url,
      url,
      ...(typeof passage === "string" ? { snippet: firstCharacters(passage, limits.webSnippetCharacters) } : {}),
    },
  ];
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
