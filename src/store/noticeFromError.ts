import { DiscoveryError } from "../base";
import { messageFromError } from "./messageFromError";
import type { Notice } from "./noticeStore";

/** What tells a person that something did not work; of an agent's definition, every fault in it. */
export function noticeFromError(what: string, error: unknown): Omit<Notice, "id"> {
  if (!(error instanceof DiscoveryError)) return { tone: "bad", text: `${what}: ${messageFromError(error)}` };
  return {
    tone: "bad",
    text: `${what}: the agent's definition has faults.`,
    details: error.faults.map(({ field, problem, mend }) => `${field}: ${problem} ${mend}`),
  };
}
