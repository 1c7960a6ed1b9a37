import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { HostError } from "../host";
import type { FrameBehaviour } from "./protocolPage.suite";
import { webContainerPage, type PageParts } from "./webContainerPage";

// The client keeps one frame for the page, so the tests go on where the one before left it.
const TIMES = { silenceMs: 300, bootMs: 4_000 };
const WAY_OUT = "or let the agent run on the embedded host, which needs no network.";

vi.stubGlobal("WEBCONTAINER_API_IFRAME_URL", location.origin);
const page = webContainerPage(TIMES);

// The server of the tests makes the frame's script when it is first asked for, which no time here is meant for.
beforeAll(async () => {
  behave({ isSilent: true });
  const frame = document.createElement("iframe");
  frame.src = "/headless";
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  document.body.append(frame);
  await loaded;
  frame.remove();
});
afterEach(() => behave({}));

function behave(behaviour: FrameBehaviour): void {
  Object.assign(globalThis, { frameBehaviour: behaviour });
}

const frames = () => document.querySelectorAll('iframe[src*="/headless?"]').length;

async function failure(taking: Promise<unknown>): Promise<Pick<HostError, "code" | "message" | "retry">> {
  const error = await taking.then(
    () => new Error("it was taken"),
    (reason: unknown) => reason as HostError,
  );
  const { code, message, retry } = error as HostError;
  return { code, message, retry };
}

function failureOf(parts: Partial<PageParts>) {
  return failure(webContainerPage({ ...TIMES, ...parts }).take(() => undefined));
}

test("a page that cannot run it is told so before anything is loaded", async () => {
  expect(await failureOf({ isSecure: () => false })).toEqual({
    code: "not-secure",
    message: `WebContainer needs a secure page, and this address is plain HTTP. Open it over https or as localhost, ${WAY_OUT}`,
    retry: false,
  });
  expect(await failureOf({ isIsolated: () => false })).toEqual({
    code: "not-isolated",
    message:
      "WebContainer needs a cross-origin isolated page, and the server of this one does not send the headers for it " +
      `(docs/hosting.md). Send them, reload the page isolated, ${WAY_OUT}`,
    retry: false,
  });
  expect(await failureOf({ loadClient: () => Promise.reject(new TypeError("Failed to fetch")) })).toEqual({
    code: "unreachable",
    message: `The script that speaks with WebContainer could not be loaded from this page's own server. Try again, ${WAY_OUT}`,
    retry: true,
  });
  expect(frames()).toBe(0);
});

test("a frame that loads and says nothing is unreachable, and says so soon after its load", async () => {
  behave({ isSilent: true });
  const began = performance.now();
  expect(await failure(page.take(() => undefined))).toEqual({
    code: "unreachable",
    message: `WebContainer cannot be reached: ${location.host} said nothing for 0.3 seconds. Check the network and what blocks it, then try again, ${WAY_OUT}`,
    retry: true,
  });
  expect(performance.now() - began).toBeLessThan(TIMES.bootMs);
});

test("a start that takes too long ends, and a later try takes what it began", async () => {
  behave({ neverStarts: true });
  const phases: string[] = [];
  expect(await failure(page.take((phase) => phases.push(phase)))).toEqual({
    code: "boot-timeout",
    message: `WebContainer did not start within 4 seconds (${location.host}). Try again, reload the page, ${WAY_OUT}`,
    retry: true,
  });
  // The network is back: the silent frame was loaded anew, and spoke.
  expect(phases).toEqual(["loading the client", "reaching WebContainer", "starting Node"]);

  behave({});
  const container = await page.take(() => undefined);
  expect(container.workdir).toBe("/home/project");
  expect(frames()).toBe(1);

  const other = await failure(page.take(() => undefined));
  expect(other).toEqual({
    code: "busy-tab",
    message: `This page runs WebContainer for another project already, and it can run only one. Close that project and try again, ${WAY_OUT}`,
    retry: true,
  });
  page.giveBack(container);
});

test("a refusal is told in its own words, and the next try is a new one", async () => {
  behave({ refusal: "This address is not allowed.\n" });
  expect(await failure(page.take(() => undefined))).toEqual({
    code: "boot-failed",
    message: `WebContainer could not start: This address is not allowed. Try again, ${WAY_OUT}`,
    retry: true,
  });
  behave({});
  page.giveBack(await page.take(() => undefined));
});

test("once its frame is gone nothing can start it but a new page", async () => {
  document.querySelector('iframe[src*="/headless?"]')?.remove();
  expect(await failure(page.take(() => undefined))).toEqual({
    code: "host-lost",
    message: `WebContainer stopped: its frame was loaded anew or removed, and a page can start it only once. Reload the page, ${WAY_OUT}`,
    retry: false,
  });
});
