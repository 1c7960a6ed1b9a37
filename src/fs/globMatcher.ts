import { Minimatch } from "minimatch";
import { limits } from "../base";
import { isMagicGlob, relativePattern } from "./globBase";

/**
 * Whether a relative path matches the whole of a pattern, as bash and ripgrep read it: `*` and `?` stay in one segment,
 * `**` spans them, `{a,b}`, `[a-z]`, `[!a]`; names that begin with a dot match like all others. `./` or `/` before the
 * pattern means nothing more than its beginning. A hostile pattern costs little time. A
 * bracket or brace that is never closed means its letters; a range that runs backwards, a class without a name, and a
 * pattern longer than any path can be match nothing.
 */
export function globMatcher(pattern: string): (relativePath: string) => boolean {
  const relative = relativePattern(pattern);
  if (!isMagicGlob(relative)) return (path) => path === relative;
  const compiled = compiledGlob(relative);
  return compiled === undefined ? () => false : (path) => compiled.match(path);
}

function compiledGlob(pattern: string): Minimatch | undefined {
  try {
    return new Minimatch(pattern, {
      dot: true,
      nonegate: true,
      nocomment: true,
      platform: "linux",
      braceExpandMax: limits.globBraceExpansions,
    });
  } catch {
    // Longer than any path can be, or braces past the cap.
    return undefined;
  }
}
