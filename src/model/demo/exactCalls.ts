import type { PlannedCall } from "./plan";

const START = "[[tool:";

/**
 * The calls written out in a message, e.g. `[[tool:Read {"path":"/a"}]]`, step by step: those that stand together are
 * one step, `then` or a new line begins the next. The arguments are passed on as they are written, also broken ones.
 */
export function exactCallsInText(text: string): PlannedCall[][] {
  const steps: PlannedCall[][] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(START, from);
    if (start < 0) return steps;
    const end = endOf(text, start + START.length);
    const body = text.slice(start + START.length, end).trim();
    const [, toolName = "", input = ""] = /^(\S+)\s*([\s\S]*)$/.exec(body) ?? [];
    const between = text.slice(from, start);
    const call = { toolName, input: input.trim() };
    const last = steps.at(-1);
    if (last && !/\bthen\b|\n/i.test(between)) last.push(call);
    else steps.push([call]);
    from = Math.min(text.length, end + 2);
  }
}

/** Where the call's `]]` is: one inside a JSON string does not count. */
function endOf(text: string, from: number): number {
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && text.startsWith("]]", at) && text[at + 2] !== "]") return at;
  }
  const plain = text.indexOf("]]", from);
  return plain < 0 ? text.length : plain;
}
