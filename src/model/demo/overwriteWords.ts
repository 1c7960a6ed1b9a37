import type { Clause } from "./clauses";
import type { Intent } from "./intent";

const WHAT =
  "(?:it|them|that|that file|the file|the (?:old|existing|other) (?:one|file)|what is there|what(?:['’]s| is) already there|if (?:it|one) (?:exists|is (?:already )?there))";
const ALONE = new RegExp(`^(?:overwrite|replace)(?:\\s+${WHAT})?$`, "i");
const BEHIND = new RegExp(
  `(?:(?:\\s*[,;]|\\s+and|\\s+but)+\\s*(?:overwrite|replace)(?:\\s+${WHAT})?|[\\s,;]+(?:overwriting|replacing)\\s+${WHAT})$`,
  "i",
);

/** The clause without the words that allow to write over a file; quoted texts are no such words. */
export function withoutOverwrite(clause: Clause): { readonly clause: Clause; readonly overwrite: boolean } {
  if (!/^(?:create|write|make|save|generate|add|put|rename|move|copy)\b/i.test(clause.text)) {
    return { clause, overwrite: false };
  }
  const text = clause.text.replace(BEHIND, "");
  return { clause: { ...clause, text }, overwrite: text !== clause.text };
}

/** `overwrite it` as a clause of its own, about the file written in the clause before. */
export function isOverwrite({ text }: Clause): boolean {
  return ALONE.test(text);
}

/** The intent with leave to write over what is there, where it writes a file. */
export function overwriting(intent: Intent): Intent {
  return intent.kind === "create" || intent.kind === "moveFile" ? { ...intent, overwrite: true } : intent;
}
