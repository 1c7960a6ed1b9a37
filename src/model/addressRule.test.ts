import { afterEach, describe, expect, it, vi } from "vitest";
import { createKeyring } from "../secrets";
import { addressRefusal } from "./addressRule";
import { modelFailure } from "./modelFailure";
import { modelFetch } from "./modelFetch";

const PAGE = "http://localhost:4173";

afterEach(() => void vi.unstubAllGlobals());

describe("addressRefusal", () => {
  it.each([
    "https://models.example/v1",
    "https://192.168.0.9/v1",
    "http://localhost:11434/v1",
    "http://127.0.0.1:1234/v1",
    "http://localhost:4173/v1",
  ])("lets a page reach %s", (url) => {
    expect(addressRefusal(url, PAGE)).toBeUndefined();
  });

  it("lets a page reach its own origin, and a program anything", () => {
    expect([
      addressRefusal("http://192.168.0.9:4173/v1", "http://192.168.0.9:4173"),
      addressRefusal("http://192.168.0.9:11434/v1", undefined),
    ]).toEqual([undefined, undefined]);
  });

  it("says what a page may reach, and how to get to the rest", () => {
    expect([
      addressRefusal("http://192.168.0.9:11434/v1", PAGE),
      addressRefusal("http://[::1]:9999/v1/", PAGE),
    ]).toEqual([
      {
        message:
          "This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to http://192.168.0.9:11434.",
        fix:
          "Serve the model over https, or bring it to this machine with a tunnel and use http://localhost:11434/v1. " +
          "For example: ssh -N -L 11434:localhost:11434 192.168.0.9",
      },
      {
        message:
          "This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to http://[::1]:9999.",
        fix: "Use http://localhost:9999/v1 instead.",
      },
    ]);
  });

  it("ends a run's call before any request, with nothing to try again", async () => {
    vi.stubGlobal("location", { origin: PAGE });
    const fetch = vi.fn();
    const call = modelFetch({ keyring: createKeyring(), fetch })("http://192.168.0.9:11434/v1/chat/completions");
    const failure = modelFailure(await call.catch((error: unknown) => error));
    expect([failure.code, failure.retryable, fetch.mock.calls]).toEqual(["blocked", false, []]);
    expect(failure.message).toContain("ssh -N -L 11434:localhost:11434 192.168.0.9");
  });
});
