import { limits } from "./limits";

/** Why a request never got an answer: `cors` when the server is there and the browser may not read it. */
export interface Reachability {
  readonly code: "cors" | "network";
  readonly message: string;
}

/**
 * Finds out why a request to `url` got no answer. A browser hides the reason, so the server is asked again in a way
 * that needs no permission to read: if that goes through, the server is there and the answer was withheld (CORS).
 * The second request carries no key and no body. An isolated page is kept from such an answer too, and the browser
 * reports that it was. Never throws.
 */
export async function reachability(
  url: string,
  request: typeof globalThis.fetch,
  error: unknown,
): Promise<Reachability> {
  const { origin } = new URL(url);
  const reason = networkReason(error);
  if (reason !== undefined) return { code: "network", message: `No connection to ${origin}: ${reason}.` };
  const hidden = hiddenAnswer(origin);
  try {
    await request(`${origin}/`, {
      mode: "no-cors",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(limits.connectionTestMs),
    });
    return withheld(origin);
  } catch {
    const answered = await hidden?.reported();
    if (answered === true) return withheld(origin);
    const isKnown = answered === false || !isIsolated();
    const doubt = isKnown ? "" : ", or it does not let this page read its answer (CORS)";
    return { code: "network", message: `No connection to ${origin}${doubt}.` };
  } finally {
    hidden?.stop();
  }
}

function withheld(origin: string): Reachability {
  return { code: "cors", message: `${origin} answers, but does not let this page read its answer (CORS).` };
}

/** In an isolated page (docs/hosting.md) an answer that says nothing about embedding fails like one that never came. */
function isIsolated(): boolean {
  return (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
}

/** TypeScript knows only what reports have in common. */
interface ReportWithJson {
  toJSON(): { readonly body?: { readonly blockedURL?: string } };
}

/**
 * Watches for the browser's own report that isolation has kept an answer of `origin` from the page: proof that the
 * server is there. `undefined` where the page is not isolated or the browser makes no reports.
 */
function hiddenAnswer(origin: string): { reported(): Promise<boolean>; stop(): void } | undefined {
  const { ReportingObserver: Observer } = globalThis as { ReportingObserver?: typeof ReportingObserver };
  if (Observer === undefined || !isIsolated()) return undefined;
  let tell: (seen: boolean) => void;
  const seen = new Promise<boolean>((resolve) => (tell = resolve));
  // Only the JSON of a report tells which address it is about.
  const isOfOrigin = (report: Report) =>
    (report as unknown as ReportWithJson).toJSON().body?.blockedURL?.startsWith(`${origin}/`) === true;
  const observer = new Observer((reports) => reports.some(isOfOrigin) && tell(true), { types: ["coep"] });
  observer.observe();
  return {
    reported() {
      setTimeout(() => tell(false), limits.hiddenAnswerReportMs);
      return seen;
    },
    stop: () => observer.disconnect(),
  };
}

/** What the platform says itself; browsers say nothing. */
function networkReason(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  return cause.message || (typeof code === "string" ? code : cause.name);
}
