import { endpointSearch, fixtureSearch, webFetchTool, webSearchTool, type Tool } from "../tools";
import type { CommandOption, GivenOptions } from "./command";
import { usageError } from "./commandError";

/** The web is there for an agent only where the person says so: this computer may reach more than a page in a browser. */
export const webOptions: Readonly<Record<string, CommandOption>> = {
  web: {
    help: "lets the agent fetch pages (webFetch) from wherever this computer can, and search recorded results (webSearch)",
  },
  "search-url": { value: "URL", help: "lets the agent search the web (webSearch) with the service at this address" },
};

/** @throws CommandError */
export function webTools(given: GivenOptions): Partial<Record<"webFetch" | "webSearch", readonly Tool[]>> {
  const endpoint = given.text("search-url");
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : "")) {
    throw usageError(`--search-url takes an address, not ${endpoint}.`);
  }
  const source = endpoint === undefined ? fixtureSearch() : endpointSearch({ endpoint, key: () => undefined });
  const isSearched = endpoint !== undefined || given.has("web");
  return {
    ...(given.has("web") ? { webFetch: [webFetchTool()] } : {}),
    ...(isSearched ? { webSearch: [webSearchTool(source)] } : {}),
  };
}
