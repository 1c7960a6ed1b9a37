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

export function callLook(item: Pick<CallItem, "state" | "stub" | "error">): CallLook {
  if (item.state === "completed" && item.stub === true) return { sign: "○", word: STUB_WORDS, tone: "dim" };
  // Only what a person refused was denied; a call whose turn ended before anyone answered was not.
  if (item.state === "rejected" && item.error !== undefined && item.error.code !== "denied")
    return { ...LOOKS.rejected, word: "not run" };
  return LOOKS[item.state];
}
