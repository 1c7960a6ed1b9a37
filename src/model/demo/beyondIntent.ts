import type { Clause } from "./clauses";
import type { Intent } from "./intent";
import { textWithoutTargets, type Target } from "./targets";

/** The rules for what people ask that rules cannot do: said plainly, with what can be done instead. */
export const beyondIntent = {
  undo(this: void, { text }: Clause): Intent | undefined {
    return /^(?:undo|revert|roll ?back|(?:take|put|turn|change) (?:it|that|this|them) back)\b.{0,40}$/i.test(text)
      ? { kind: "undo" }
      : undefined;
  },

  folder(this: void, { text }: Clause, targets: readonly Target[]): Intent | undefined {
    const isAsked =
      /^(?:create|make|add|generate|new|set up)\s+(?:an? |the |new |empty |sub)*(?:folder|directory|dir)\b/i.test(
        text,
      ) || /^mkdir\b/i.test(text);
    const [target] = targets;
    const isNamedSo =
      target !== undefined &&
      /^(?:create|make|add|generate)\s+(?:an? |the |new |empty )*\S+\/$/i.test(text) &&
      text.slice(target.start, target.end).endsWith("/");
    if (!isAsked && !isNamedSo) return undefined;
    const bare = /\b(?:folder|directory|dir|mkdir)\s+(?:-p\s+)?(?:called\s+|named\s+)?([\p{L}\p{N}_.-]+)$/iu.exec(
      text,
    )?.[1];
    const path = target?.path ?? (bare === undefined ? undefined : `/${bare}`);
    const offer =
      path === undefined ? "" : ` Say “create ${path.replace(/\/$/, "")}/notes.md with "text"” and ${path} is there.`;
    return {
      kind: "unclear",
      why: `I made no folder: a folder is there as soon as a file is in it, and gone with its last one.${offer}`,
    };
  },

  /** A text or code to be thought up. */
  composing(this: void, clause: Clause, targets: readonly Target[]): Intent | undefined {
    const words = textWithoutTargets(clause, targets);
    const asked =
      /^(?:add|write|create|draft|compose|make|generate|implement)\b.*?\b(?:sections?|chapters?|paragraphs?|tests?|test cases?|docs|documentation|code|functions?|features?|classe?s?|components?|comments?|examples?|poems?|stor(?:y|ies)|essays?|errors handling|types)\b(?:\s+(?:about|on|for|to|that|which|in|of|with)\b.*)?$/i;
    if (!asked.test(words) || clause.quotes.values(clause.text).length > 0) return undefined;
    if (/\b(?:saying|containing|that says|:)\s|\b(?:a |the )?(?:summary|list)\b/i.test(words)) return undefined;
    const target = targets[0];
    const place =
      target === undefined
        ? ""
        : clause.text.slice(target.start, target.end).replace(/^(?!the |\/)(?=read|change)/i, "the ");
    const offer = place === "" ? "" : ` Give me the words: append "## Title" to ${place}.`;
    return {
      kind: "unclear",
      why: `I changed nothing: I think up no text and no code, I only put in what you give me in quotes.${offer}`,
      isBeyond: true,
    };
  },

  /** What takes judgement. */
  judging(this: void, { text, quotes }: Clause): Intent | undefined {
    return /^(?:fix|debug|repair|solve|improve|refactor|optimi[sz]e|clean up|rewrite|implement|translate|review|test|check|build|deploy|install|commit|resolve|address|handle|finish|update)\b/i.test(
      text,
    )
      ? {
          kind: "unclear",
          why: `I did not do “${quotes.restore(text)}”: I cannot judge code or texts. I take TODO comments out and make the replacements you name.`,
          isBeyond: true,
        }
      : undefined;
  },
};
