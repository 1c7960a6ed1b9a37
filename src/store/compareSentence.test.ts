import { describe, expect, it } from "vitest";
import type { FinalFile } from "./compareFiles";
import { compareSentence } from "./compareSentence";
import type { ArmSide, ComparePair, CompareRun } from "./compareState";
import { metricsFromEvents } from "../experiment";

function run(side: ArmSide, toolCalls: number, state: CompareRun["state"] = "completed"): CompareRun {
  const planned = { id: side, variantId: side, promptIndex: 0, repeat: 0, seed: "s" } as CompareRun["planned"];
  return { planned, side, sessionId: side, state, metrics: { ...metricsFromEvents([]), toolCalls } };
}

const pair: ComparePair = { promptIndex: 0, repeat: 0, a: run("a", 9), b: run("b", 2) };
const file = (path: string, a: FinalFile["a"], b: FinalFile["b"], isSame: boolean): FinalFile => ({
  path,
  a,
  b,
  isSame,
});

describe("compareSentence", () => {
  it("says first that one arm changed nothing, whatever it needed for that", () => {
    const byA = [file("/a", "modified", undefined, false), file("/b", "added", undefined, false)];
    expect(compareSentence(pair, byA)).toBe(
      "A changed 2 files, B changed none. B made 7 fewer tool calls on this prompt.",
    );
    expect(compareSentence(pair, [file("/a", undefined, "added", false)])).toBe(
      "A changed none, B changed 1 file. B made 7 fewer tool calls on this prompt.",
    );
  });

  it("says first that the arms ended with different files", () => {
    const files = [file("/a", "modified", "modified", false), file("/b", undefined, "added", false)];
    expect(compareSentence({ ...pair, b: run("b", 9, "failed") }, files)).toBe(
      "A changed 1 file, B changed 2; 2 files ended different. Both made 9 tool calls on this prompt; B did not complete the turn.",
    );
  });

  it("begins with the calls where the files are the same or not known", () => {
    const calls = "B made 7 fewer tool calls on this prompt";
    expect(compareSentence(pair, [file("/a", "added", "added", true)])).toBe(
      `${calls}; both ended with the same files.`,
    );
    expect(compareSentence(pair, [])).toBe(`${calls}; neither changed a file.`);
    expect(compareSentence(pair, undefined)).toBe(`${calls}.`);
  });
});
