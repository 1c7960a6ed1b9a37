/** Characters that may make a segment more than its letters. */
const MAGIC = /[*?[\]{}()!+@|\\]/;

/**
 * The directory every match lies in, as far as the pattern says it in plain letters: `src/lib` for `src/lib/*.ts`, empty
 * for `*.ts`. A walk for the pattern can begin there.
 */
export function globBase(pattern: string): string {
  const segments = relativePattern(pattern).split("/");
  const firstMagic = segments.findIndex((segment) => MAGIC.test(segment));
  return segments.slice(0, firstMagic < 0 ? -1 : firstMagic).join("/");
}

/** Whether a pattern is more than the letters of one path. */
export function isMagicGlob(pattern: string): boolean {
  return MAGIC.test(pattern);
}

/** A pattern without the `./` or `/` that may stand before it. */
export function relativePattern(pattern: string): string {
  return pattern.replace(/^(?:\.?\/+)+/, "");
}
