import { afterEach, expect, test, vi } from "vitest";
import { isolatePage } from "./isolatePage";

afterEach(() => vi.unstubAllGlobals());

interface PageState {
  readonly isSecure?: boolean;
  readonly workers?: object | undefined;
}

/** Stubs a page, and counts how often it is loaded anew. */
function stubPage({ isSecure = true, workers }: PageState): { readonly reload: ReturnType<typeof vi.fn> } {
  const reload = vi.fn();
  vi.stubGlobal("isSecureContext", isSecure);
  vi.stubGlobal("navigator", { serviceWorker: workers });
  vi.stubGlobal("document", { baseURI: "https://me.github.io/rootscope/?x#/compare" });
  vi.stubGlobal("location", { reload });
  return { reload };
}

test("a page is loaded anew once, when the worker beside it is active", async () => {
  const worker = Object.assign(new EventTarget(), { state: "installing" });
  const register = vi.fn(() => Promise.resolve({ installing: worker, waiting: null, active: null }));
  const { reload } = stubPage({ workers: { controller: null, register } });
  const isolated = isolatePage();
  await vi.waitFor(() => expect(register).toHaveBeenCalledWith("https://me.github.io/rootscope/coi-serviceworker.js"));
  worker.dispatchEvent(new Event("statechange"));
  await Promise.resolve();
  expect(reload).not.toHaveBeenCalled();
  worker.state = "activated";
  worker.dispatchEvent(new Event("statechange"));
  await isolated;
  expect(reload).toHaveBeenCalledOnce();
});

test.each<[string, PageState, string]>([
  ["over plain HTTP", { isSecure: false }, "Only a page over https or on localhost can be isolated."],
  ["without workers", { workers: undefined }, "This browser has no service workers here (a private window?)."],
  [
    "that the worker controls already",
    { workers: { controller: {} } },
    "The worker that isolates this page is at work already, and the browser does not isolate it.",
  ],
  [
    "whose server has no worker",
    { workers: { controller: null, register: () => Promise.reject(new TypeError("404")) } },
    "The worker that isolates the page could not be loaded.",
  ],
])("a page %s stays, and says why", async (_title, state, why) => {
  const { reload } = stubPage(state);
  await expect(isolatePage()).rejects.toMatchObject({ message: `${why} The embedded host needs no isolation.` });
  expect(reload).not.toHaveBeenCalled();
});
