import type { GrepQuery, GrepResult } from "../fileSystem";
import { linesAfter, linesBefore } from "./contextLines";
import type { LineHit } from "./lineHits";

/** A hit as the interface gives it. Context lines are all the lines around it, other hits among them. */
export function grepResult(path: string, text: string, hit: LineHit, query: GrepQuery): GrepResult {
  const { contextBefore, contextAfter } = query;
  const { lineNumber } = hit;
  const line = text.slice(hit.start, hit.end);
  // Hits come by the tens of thousands: most need no spreading.
  if (!contextBefore && !contextAfter) return { path, lineNumber, line };
  return {
    path,
    lineNumber,
    line,
    ...(contextBefore ? { contextBefore: linesBefore(text, hit.start, contextBefore) } : {}),
    ...(contextAfter ? { contextAfter: linesAfter(text, hit.end, contextAfter) } : {}),
  };
}
