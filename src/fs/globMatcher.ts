import { Minimatch } from "minimatch";
import { limits } from "../base";

/** Characters that may make a segment more than its letters. */
const MAGIC = /[*?[\]{}()!+@|\\]/;

/**
 * Whether a relative path matches the whole of a pattern, as bash and ripgrep read it: `*` and `?` stay in one segment,
 * `**` spans them, `{a,b}`, `[a-z]`, `[!a]`; names that begin with a dot match like all others. `./` or `/` before the
 * pattern means nothing more than its beginning. A hostile pattern costs little time, a malformed one matches nothing.
 */
export function globMatcher(pattern: string): (relativePath: string) => boolean {
  const relative = relativePattern(pattern);
  if (!MAGIC.test(relative)) return (path) => path === relative;
  const compiled = compiledGlob(relative);
  return compiled === undefined ? () => false : (path) => compiled.match(path);
}

/**
 * The directory every match lies in, as far as the pattern says it in plain letters: `src/lib` for `src/lib/*.ts`, empty
 * for `*.ts`. A walk for the pattern can begin there.
 */
export function globBase(pattern: string): string {
  const segments = relativePattern(pattern).split("/");
  const firstMagic = segments.findIndex((segment) => MAGIC.test(segment));
  return segments.slice(0, firstMagic < 0 ? -1 : firstMagic).join("/");
}

function relativePattern(pattern: string): string {
  return pattern.replace(/^(?:\.?\/+)+/, "");
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
