/** The keys of search services are told apart from those of models at the same address. */
export const SEARCH_KEY_USE = "web search";
