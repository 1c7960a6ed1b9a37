import { expect, test } from "vitest";
import type { SessionEvent } from "../session";
import { isResult, runOutcome } from "./runOutcome";

const meta = { id: "evt_1", at: "2026-01-01T00:00:00.000Z" };
const turn = { turnId: "turn_0", sequence: 0 };
const started: SessionEvent = { type: "turn.started", data: turn, meta };
const failed = (code: string): SessionEvent => ({ type: "turn.failed", data: { ...turn, code, message: code }, meta });

test("tells results from runs that failed for their environment, were stopped, or go on", () => {
  const outcomes = [
    [started],
    [started, { type: "turn.completed", data: turn, meta } as const],
    [started, failed("step-limit")],
    [started, failed("network")],
    [started, failed("auth")],
    [started, failed("interrupted")],
    [started, failed("host-lost")],
    [started, failed("interrupted"), started],
  ].map((events) => runOutcome(events).outcome);
  expect(outcomes).toEqual([
    "running",
    "completed",
    "failed",
    "environment",
    "environment",
    "stopped",
    "stopped",
    "running",
  ]);
  expect(outcomes.filter(isResult)).toEqual(["completed", "failed"]);
});
