import type { JsonValue } from "../base";

/** Told with the result of a call that a dry run has not carried out. */
const STUB_NOTE = "(Dry run: this result is a stub. The call was not carried out and changed nothing.)";

/** What the model reads of a stubbed call: what stands in for its result, and that it is a stand-in. */
export function stubText(output: JsonValue): string {
  return `${typeof output === "string" ? output : JSON.stringify(output)}\n${STUB_NOTE}`;
}
