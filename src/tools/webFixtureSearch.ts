import { limits } from "../base";
import { throwIfStopped } from "./stopping";
import { WEB_FIXTURE } from "./webFixture";
import type { WebSearchSource } from "./webSearchTool";

/**
 * What stands in where nothing can search: a few recorded results, ranked by the words they share with the search term.
 * It says that it is a fixture wherever it answers, and finds nothing where nothing fits.
 */
export function fixtureSearch(): WebSearchSource {
  return {
    name: "recorded results",
    fixture: true,
    async search(searchTerm, signal) {
      throwIfStopped(signal);
      const wanted = wordsOf(searchTerm);
      const ranked = WEB_FIXTURE.map((result) => {
        const [title, words] = [wordsOf(result.title), wordsOf(`${result.title} ${result.snippet ?? ""}`)];
        const shared = [...wanted].filter((word) => words.has(word));
        return {
          result,
          shared: shared.length,
          score: shared.length + shared.filter((word) => title.has(word)).length,
        };
      })
        .filter(({ shared }) => shared > 0 && shared * 3 >= wanted.size)
        .toSorted((a, b) => b.score - a.score);
      return { results: ranked.slice(0, limits.webSearchResults).map(({ result }) => result) };
    },
  };
}

/** Words of three letters and more, without the ends that only say how many or when. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(ing|ed|es|s|e)$/, "")));
}

const COMMON: ReadonlySet<string> = new Set(
  "the and for how what when where which with from that this does are can".split(" "),
);
