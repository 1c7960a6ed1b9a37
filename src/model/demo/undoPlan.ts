import type { Plan } from "./plan";
import { inCode, type PlanContext } from "./planContext";

const WORDS_AT_MOST = 60;

/** Tells what the request before changed, and how each replacement can be turned round. */
export function* undoPlan(context: PlanContext): Plan<void> {
  if (context.earlierWrites.length === 0) {
    context.note("There is nothing to undo: I have changed nothing so far.");
    return;
  }
  const rows = context.earlierWrites.map(({ toolName, input }) => {
    const { path, oldText, newText } = input as Readonly<Record<string, unknown>>;
    const at = typeof path === "string" ? path : "";
    if (toolName === "StrReplace" && isShort(oldText) && isShort(newText)) {
      return `${at}: say: replace "${newText}" with "${oldText}" in ${at}`;
    }
    if (toolName === "Delete") return `${at}: it is deleted`;
    return toolName === "Shell"
      ? "a command I ran"
      : `${at}: I ${toolName === "Write" ? "wrote it" : `replaced ${inCode(String(oldText))}`}`;
  });
  context.note(
    "I undid nothing: I keep no earlier versions. What I changed last (a replacement turned round also changes what said so before):",
    rows,
  );
}

/** Whether a text can be said again in quotes. */
function isShort(text: unknown): text is string {
  return typeof text === "string" && text.trim() !== "" && text.length <= WORDS_AT_MOST && !/["\n\\]/.test(text);
}
