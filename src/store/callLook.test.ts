import { describe, expect, it } from "vitest";
import { callLook } from "./callLook";

describe("how a call looks", () => {
  it("is no success where its command ended with another code than 0", () => {
    expect([0, 1, 124].map((exitCode) => callLook({ state: "completed", output: { exitCode, stdout: "" } }))).toEqual([
      { sign: "✓", word: "ok", tone: "ok" },
      { sign: "!", word: "ran, command failed", tone: "warn" },
      { sign: "!", word: "ran, command failed", tone: "warn" },
    ]);
  });
});
