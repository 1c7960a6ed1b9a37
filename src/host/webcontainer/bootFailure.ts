import { limits } from "../../base";
import { HostError, type HostErrorCode } from "../host";

const WAY_OUT = "or let the agent run on the embedded host, which needs no network";

/** Why WebContainer did not start; what is thrown says it with the way out. */
export type BootFailure =
  | { readonly code: "not-secure" | "not-isolated" | "no-client" | "other-project" | "lost" | "disposed" }
  | { readonly code: "unreachable" | "boot-timeout"; readonly address: string; readonly waitedMs: number }
  | { readonly code: "boot-failed"; readonly reason: unknown };

const CODES: Readonly<Record<BootFailure["code"], { readonly code: HostErrorCode; readonly retry: boolean }>> = {
  "not-secure": { code: "not-secure", retry: false },
  "not-isolated": { code: "not-isolated", retry: false },
  "no-client": { code: "unreachable", retry: true },
  "other-project": { code: "busy-tab", retry: true },
  lost: { code: "host-lost", retry: false },
  disposed: { code: "disposed", retry: false },
  unreachable: { code: "unreachable", retry: true },
  "boot-timeout": { code: "boot-timeout", retry: true },
  "boot-failed": { code: "boot-failed", retry: true },
};

export function bootError(failure: BootFailure): HostError {
  const { code, retry } = CODES[failure.code];
  const cause = failure.code === "boot-failed" ? failure.reason : undefined;
  return new HostError(code, sentence(failure), { retry, cause });
}

function sentence(failure: BootFailure): string {
  switch (failure.code) {
    case "not-secure":
      return `WebContainer needs a secure page, and this address is plain HTTP. Open it over https or as localhost, ${WAY_OUT}.`;
    case "not-isolated":
      return (
        "WebContainer needs a cross-origin isolated page, and the server of this one does not send the headers for it " +
        `(docs/hosting.md). Send them, reload the page isolated, ${WAY_OUT}.`
      );
    case "no-client":
      return `The script that speaks with WebContainer could not be loaded from this page's own server. Try again, ${WAY_OUT}.`;
    case "other-project":
      return `This page runs WebContainer for another project already, and it can run only one. Close that project and try again, ${WAY_OUT}.`;
    case "unreachable":
      return `WebContainer cannot be reached: ${failure.address} said nothing for ${seconds(failure.waitedMs)}. Check the network and what blocks it, then try again, ${WAY_OUT}.`;
    case "boot-timeout":
      return `WebContainer did not start within ${seconds(failure.waitedMs)} (${failure.address}). Try again, reload the page, ${WAY_OUT}.`;
    case "boot-failed":
      return `WebContainer could not start: ${words(failure.reason)}. Try again, ${WAY_OUT}.`;
    case "lost":
      return `WebContainer stopped: its frame was loaded anew or removed, and a page can start it only once. Reload the page, ${WAY_OUT}.`;
    case "disposed":
      break;
  }
  return "This host was closed; open the project again.";
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} seconds`;
}

/** What was thrown, in its own words and on one line. */
export function words(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  return (
    text.trim().replace(/\s+/g, " ").replace(/\.$/, "").slice(0, limits.hostReasonCharacters) || "it did not say why"
  );
}
