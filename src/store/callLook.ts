import type { JsonObject } from "../base";
import type { CallItem } from "../session";

/** How a call's state shows: a sign with a colour, and the word for it. */
export interface CallLook {
  readonly sign: string;
  readonly word: string;
  /** By the theme's names; empty while it is under way. */
  readonly tone: "" | "ok" | "bad" | "warn" | "dim";
}

/** What a stand-in says of a call that a dry run has not carried out. */
export const STUB_WORDS = "not done (dry run)";

const LOOKS: { readonly [State in CallItem["state"]]: CallLook } = {
  writing: { sign: "●", word: "being written", tone: "" },
  requested: { sign: "●", word: "about to run", tone: "" },
  running: { sign: "●", word: "running", tone: "" },
  approval: { sign: "●", word: "waiting for you", tone: "warn" },
  completed: { sign: "✓", word: "ok", tone: "ok" },
  failed: { sign: "✕", word: "failed", tone: "bad" },
  rejected: { sign: "✕", word: "denied", tone: "bad" },
};

export function callLook(item: Pick<CallItem, "state" | "stub" | "error" | "output">): CallLook {
  if (item.state === "completed" && item.stub === true) return { sign: "○", word: STUB_WORDS, tone: "dim" };
  // The tool did its work; the command it ran did not.
  if (item.state === "completed" && hasFailedCommand(item))
    return { sign: "!", word: "ran, command failed", tone: "warn" };
  // Only what a person refused was denied; a call whose turn ended before anyone answered was not.
  if (item.state === "rejected" && item.error !== undefined && item.error.code !== "denied")
    return { ...LOOKS.rejected, word: "not run" };
  return LOOKS[item.state];
}

/** Whether a call ran a command that ended with another code than 0. */
function hasFailedCommand({ output }: Pick<CallItem, "output">): boolean {
  if (output === null || typeof output !== "object" || Array.isArray(output)) return false;
  const { exitCode } = output as JsonObject;
  return typeof exitCode === "number" && exitCode !== 0;
}
