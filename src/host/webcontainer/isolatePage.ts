import { HostError } from "../host";

/** Where the build has the worker that adds the headers of isolation (docs/hosting.md, "Isolation without headers"). */
const WORKER_FILE = "coi-serviceworker.js";

interface PageGlobals {
  readonly document: { readonly baseURI: string };
  readonly location: { reload(): void };
}

/**
 * Makes a page isolated whose server does not send the headers: registers the worker that adds them to every response, and
 * loads the page anew, once. For a person's click: what is not stored goes with the reload.
 * @throws HostError `not-secure` · `not-isolated` where there are no service workers, or the page is controlled by one and
 * is not isolated all the same
 */
export async function isolatePage(): Promise<void> {
  if (!isSecureContext) throw refused("not-secure", "Only a page over https or on localhost can be isolated.");
  const workers = (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker;
  if (workers === undefined)
    throw refused("not-isolated", "This browser has no service workers here (a private window?).");
  const { document, location } = globalThis as unknown as PageGlobals;
  if (workers.controller !== null) {
    throw refused(
      "not-isolated",
      "The worker that isolates this page is at work already, and the browser does not isolate it.",
    );
  }
  const registration = await workers
    .register(new URL(WORKER_FILE, document.baseURI).href)
    .catch((cause: unknown) =>
      Promise.reject(refused("not-isolated", "The worker that isolates the page could not be loaded.", cause)),
    );
  await activated(registration);
  location.reload();
}

function refused(code: "not-secure" | "not-isolated", why: string, cause?: unknown): HostError {
  return new HostError(code, `${why} The embedded host needs no isolation.`, { cause });
}

/** Resolves once the worker is active: a page loaded before is not controlled by it. */
function activated(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active !== null || worker === null) return Promise.resolve();
  return new Promise((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    });
  });
}
