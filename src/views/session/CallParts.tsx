import type { CallItem } from "../../session";
import { mountAt, pathOfCall, type CallSummary, type MountLook } from "../../store";
import { Swatch } from "../widgets/Swatch";
import { useSessionMounts } from "./useSessionState";

/** What a call is about: the path, pattern or command, and where. */
export function CallAbout({ summary }: { readonly summary: CallSummary }) {
  return (
    <>
      <span
        className={`call-about mono truncate ${summary.about.startsWith("/") ? "call-path" : ""}`}
        title={summary.about}
      >
        <bdi dir="ltr">{summary.about}</bdi>
      </span>
      {summary.where ? <span className="call-where truncate">{summary.where}</span> : null}
    </>
  );
}

/** Squares a row has room for beside its argument; the rest is a number. */
const SHOWN_MOUNTS = 4;

/** A square for the first mounts that served the call, or, before any did, for the one its path lies in. */
export function CallMounts({ item, summary }: { readonly item: CallItem; readonly summary: CallSummary }) {
  const table = useSessionMounts();
  const prefixes = callMounts(table, item, summary);
  const more = prefixes.slice(SHOWN_MOUNTS);
  return (
    <>
      {prefixes.slice(0, SHOWN_MOUNTS).map((prefix) => {
        const mount = table.find((candidate) => candidate.prefix === prefix);
        return <Swatch key={prefix} color={mount?.color ?? 8} label={mountWords(prefix, mount)} />;
      })}
      {more.length === 0 ? null : (
        <span className="call-mounts-more" title={more.join(" ")}>
          {`+${more.length}`}
          <span className="visually-hidden"> more mounts</span>
        </span>
      )}
    </>
  );
}

/** The words beside the squares, where the row has room for them; the squares carry them too. */
export function CallMountWords({ item, summary }: { readonly item: CallItem; readonly summary: CallSummary }) {
  const prefixes = callMounts(useSessionMounts(), item, summary);
  return (
    <span className="call-mount-room" aria-hidden="true">
      <span className="mono">{prefixes.join(" ")}</span>
    </span>
  );
}

function callMounts(table: readonly MountLook[], item: CallItem, summary: CallSummary): readonly string[] {
  if (summary.mounts.length > 0) return summary.mounts;
  const path = pathOfCall(item);
  const guessed = path === undefined ? undefined : mountAt(table, path)?.prefix;
  return guessed === undefined ? [] : [guessed];
}

function mountWords(prefix: string, mount: { readonly readOnly: boolean } | undefined): string {
  if (mount === undefined) return `mount ${prefix}, no longer there`;
  return `mount ${prefix}${mount.readOnly ? ", read-only" : ""}`;
}
