import type { ForkChoice, ForkPlan } from "../../../store";

/** What a person has filled in so far. */
export interface ForkDraft {
  readonly kind: ForkChoice["edit"]["kind"];
  readonly instructions: string;
  readonly messageAt: number | undefined;
  readonly message: string;
  readonly resultAt: number | undefined;
  readonly result: string;
  readonly failed: boolean;
  readonly path: string;
  readonly contents: string;
  readonly isDeleted: boolean;
  readonly goesOn: ForkChoice["goesOn"];
  readonly files: ForkChoice["files"];
}

/** A part of the form. */
export interface EditChoiceProps {
  readonly plan: ForkPlan;
  readonly draft: ForkDraft;
  readonly onChange: (patch: Partial<ForkDraft>) => void;
}

/** Nothing is edited yet; each text is the recorded one. */
export function firstDraft(plan: ForkPlan): ForkDraft {
  const [message] = plan.messages;
  const [result] = plan.results;
  const usable = plan.starts.filter(({ unavailable }) => unavailable === undefined).map(({ kind }) => kind);
  const files = (["snapshot", "inferred", "mounts"] as const).find((kind) => usable.includes(kind)) ?? "mounts";
  return {
    kind: result === undefined ? "none" : "tool-result",
    instructions: plan.instructions,
    messageAt: message?.eventIndex,
    message: message?.text ?? "",
    resultAt: result?.eventIndex,
    result: result?.text ?? "",
    failed: false,
    path: "",
    contents: "",
    isDeleted: false,
    goesOn: "live",
    files,
  };
}

/** The choice as it stands; `undefined` while something is missing. */
export function forkChoice(draft: ForkDraft): ForkChoice | undefined {
  const edit = editOf(draft);
  return edit === undefined ? undefined : { edit, goesOn: draft.goesOn, files: draft.files };
}

function editOf(draft: ForkDraft): ForkChoice["edit"] | undefined {
  switch (draft.kind) {
    case "instructions":
      return { kind: "instructions", instructions: draft.instructions };
    case "message":
      return draft.messageAt === undefined || draft.message.trim() === ""
        ? undefined
        : { kind: "message", eventIndex: draft.messageAt, message: draft.message };
    case "tool-result":
      return draft.resultAt === undefined
        ? undefined
        : { kind: "tool-result", eventIndex: draft.resultAt, text: draft.result, failed: draft.failed };
    case "file": {
      const path = draft.path.trim();
      if (!/^\/[^/]/.test(path)) return undefined;
      return draft.isDeleted ? { kind: "file", path } : { kind: "file", path, contents: draft.contents };
    }
    default:
      return { kind: "none" };
  }
}
