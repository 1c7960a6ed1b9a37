import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { ModelError, type ModelFailureCode } from "./modelError";
import { modelFailure } from "./modelFailure";
import { retryDelayMs } from "./retryDelayMs";

const failed = (code: ModelFailureCode) => modelFailure(new ModelError(code, "x"));

describe("retryDelayMs", () => {
  it("doubles from attempt to attempt, half of it by chance, until the attempts are used up", () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(failed("server"), attempt, () => 1));
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, undefined]);
    expect(retryDelayMs(failed("server"), 1, () => 0)).toBe(500);
  });

  it("waits as long as the server asks, and never longer than a person would watch", () => {
    const asked = (retryAfterMs: number) => retryDelayMs({ ...failed("rate-limit"), retryAfterMs }, 1, () => 1);
    expect([asked(0), asked(7_000), asked(600_000)]).toEqual([0, 7_000, limits.modelRetryMaxMs]);
  });

  it("never sends again what cannot succeed", () => {
    const codes: ModelFailureCode[] = ["quota", "cors", "auth", "bad-request", "aborted", "unknown"];
    expect(codes.map((code) => retryDelayMs(failed(code), 1, () => 1))).toEqual(codes.map(() => undefined));
  });
});

describe("modelFailure", () => {
  it.each<[string, unknown, object]>([
    ["a status", { statusCode: 503, message: "busy" }, { code: "server", retryable: true }],
    [
      "retry-after in milliseconds",
      { statusCode: 429, message: "m", responseHeaders: { "retry-after-ms": "250", "retry-after": "9" } },
      { retryAfterMs: 250 },
    ],
    [
      "retry-after as a date, by the server's own clock",
      {
        statusCode: 429,
        message: "m",
        responseHeaders: { "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", date: "Wed, 21 Oct 2026 07:28:00 GMT" },
      },
      { code: "rate-limit", retryAfterMs: 30_000 },
    ],
    [
      "a quota that comes back in seconds",
      {
        statusCode: 429,
        message: "You exceeded your current quota, please check your plan and billing details",
        responseBody: '{"retryDelay": "12.5s"}',
      },
      { code: "rate-limit", retryAfterMs: 12_500 },
    ],
    [
      "a quota that is gone",
      { statusCode: 429, message: "You exceeded your current quota, please check your plan and billing details" },
      { code: "quota" },
    ],
    [
      "an error object in a stream",
      { error: { message: "slow", type: "rate_limit_exceeded" } },
      { code: "rate-limit", message: "slow" },
    ],
    ["a stop", new DOMException("The operation was aborted.", "AbortError"), { code: "aborted", retryable: false }],
    ["a failed fetch", new TypeError("Failed to fetch"), { code: "network", retryable: true }],
    [
      "our own error in a package's wrapper",
      new Error("wrapped", { cause: new ModelError("cors", "withheld") }),
      { code: "cors", message: "withheld" },
    ],
    ["a text", "boom", { code: "unknown", message: "boom", retryable: false }],
    ["nothing", undefined, { code: "unknown", message: "the model's server gave no reason" }],
  ])("reads %s", (_name, error, failure) => {
    expect(modelFailure(error)).toMatchObject(failure);
  });
});
