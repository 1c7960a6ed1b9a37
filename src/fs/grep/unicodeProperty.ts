/**
 * What JavaScript writes between the braces of `\p{}` for a property by a name Rust accepts: in any case, with or without
 * underscores, a script without `Script=`. `undefined` when there is no such property.
 */
export function unicodeProperty(name: string): string | undefined {
  const [left = "", right] = name.split(/[=:]/).map((part) => part.trim());
  const spellings = (part: string) => [part, part.toUpperCase(), titled(part), titled(part.toLowerCase())];
  const candidates =
    right === undefined
      ? spellings(left).flatMap((spelling) => [spelling, `Script=${spelling}`])
      : spellings(left).flatMap((key) => spellings(right).map((value) => `${key}=${value}`));
  return candidates.find(isProperty);
}

/** `uppercase letter` and `uppercase_letter` as `Uppercase_Letter`. */
function titled(name: string): string {
  return name.replace(/[\s-]+/g, "_").replace(/(?:^|_)[a-z]/g, (start) => start.toUpperCase());
}

function isProperty(source: string): boolean {
  if (!/^[\w=]+$/.test(source)) return false;
  try {
    return new RegExp(`\\p{${source}}`, "u").source !== "";
  } catch {
    return false;
  }
}
