import { isUnder } from "../../fs";
import type { Difference, ReexecutedCall } from "./divergenceReport";

/** Which divergence comes from which: of each path the first one is the root, later ones follow from it. */
export class RootCauses {
  readonly #roots = new Map<string, number>();

  /**
   * The number of the call a divergence follows from; `undefined` for a root, which it then is for its paths.
   * @param paths what the call is about, as paths of the tree
   * @param isSearch whether it looked below those paths
   */
  add(
    call: Pick<ReexecutedCall, "number" | "difference" | "files">,
    paths: readonly string[],
    isSearch: boolean,
  ): number | undefined {
    const named = pathsIn(call);
    const about = named.length > 0 ? named : paths;
    const cause = this.#cause(about, paths, isSearch && named.length === 0);
    if (cause === undefined) for (const path of about) if (!this.#roots.has(path)) this.#roots.set(path, call.number);
    return cause;
  }

  #cause(about: readonly string[], paths: readonly string[], isSearch: boolean): number | undefined {
    const found: number[] = [];
    for (const [root, number] of this.#roots) {
      const isAbout = about.some((path) => path === root) || paths.some((path) => path === root);
      if (isAbout || (isSearch && paths.some((path) => isUnder(root, path)))) found.push(number);
    }
    return found.length === 0 ? undefined : Math.min(...found);
  }
}

/** The paths a divergence names by itself: of files that differ, and those in what was found. */
function pathsIn({ difference, files }: Pick<ReexecutedCall, "difference" | "files">): string[] {
  const changed = (files ?? []).filter((file) => file.class !== "equal").map(({ path }) => path);
  return changed.length > 0 ? changed : foundPaths(difference);
}

/** A search that found a path more or less is about that path. */
function foundPaths(difference: Difference | undefined): string[] {
  if (difference === undefined) return [];
  const sides = [difference.expected, difference.actual].flatMap((side) => {
    const path = side === undefined ? undefined : /^(\/[^\n:]+)(?::\d+:|$)/.exec(side)?.[1];
    return path === undefined ? [] : [path];
  });
  // Of a list one side has moved against the other, the smaller of the two is the one that only one of them has.
  return sides.length === 2 && difference.pointer !== undefined ? [sides.toSorted()[0] ?? ""] : sides;
}
