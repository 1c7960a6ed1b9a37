import { limits } from "../../base";

const DEEPEST = limits.importValueDepth;

/**
 * Text as JSON. What is nested deeper than any recording nests is cut off, so that nobody who walks a value runs out of
 * stack.
 *
 * @throws SyntaxError
 */
export function parsedText(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  return isDeep(text) ? cutOff(value) : value;
}

/** Whether brackets are nested too deeply in a text that is JSON. */
function isDeep(text: string): boolean {
  if (text.length < DEEPEST * 2) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth++;
      if (depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** The value without what is too deep, changed in place: level by level, not by calls that call themselves. */
function cutOff(value: unknown): unknown {
  let level: object[] = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    const next: object[] = [];
    for (const holder of level) {
      for (const [name, inner] of Object.entries(holder) as [string, unknown][]) {
        if (typeof inner !== "object" || inner === null) continue;
        if (depth < DEEPEST) next.push(inner);
        else {
          const said = `[nested deeper than ${DEEPEST} levels]`;
          Object.defineProperty(holder, name, { value: said, enumerable: true, configurable: true, writable: true });
        }
      }
    }
    level = next;
  }
  return value;
}

/** A value that was not read by `parsedText`, cut off as that would. */
export { cutOff as shallowValue };
