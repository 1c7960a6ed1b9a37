import { afterEach, expect, it, vi } from "vitest";
import { createKeyring } from "../secrets";
import { modelFailure } from "./modelFailure";
import { modelFetch } from "./modelFetch";

afterEach(() => void vi.unstubAllGlobals());

it("ends a run's call before any request, with nothing to try again", async () => {
  vi.stubGlobal("location", { origin: "http://localhost:4173" });
  const fetch = vi.fn();
  const call = modelFetch({ keyring: createKeyring(), fetch })("http://192.168.0.9:11434/v1/chat/completions");
  const failure = modelFailure(await call.catch((error: unknown) => error));
  expect([failure.code, failure.retryable, fetch.mock.calls]).toEqual(["blocked", false, []]);
  expect(failure.message).toContain("ssh -N -L 11434:localhost:11434 192.168.0.9");
});
