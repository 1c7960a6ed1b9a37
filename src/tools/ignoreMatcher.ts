import { globMatcher } from "../fs";

/**
 * Whether a path relative to the listed directory is left out. What lies below an ignored directory is left out with it
 * by the caller. A pattern without a slash fits a name at any depth.
 */
export function ignoreMatcher(patterns: readonly string[]): (relativePath: string) => boolean {
  const matchers = patterns.flatMap((pattern) => {
    const trimmed = pattern.replace(/^\.?\//, "").replace(/\/(\*\*)?$/, "");
    if (trimmed === "") return [];
    return [globMatcher(trimmed.includes("/") ? trimmed : `**/${trimmed}`)];
  });
  return (relativePath) => matchers.some((matches) => matches(relativePath));
}
