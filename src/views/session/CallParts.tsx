import type { CallItem } from "../../session";
import { mountAt, pathOfCall, type CallSummary } from "../../store";
import { Swatch } from "../widgets/Swatch";
import { useSessionMounts } from "./useSessionState";

/** What a call is about: the path, pattern or command, and where. */
export function CallAbout({ summary }: { readonly summary: CallSummary }) {
  return (
    <>
      <span className="call-about mono truncate" title={summary.about}>
        {summary.about}
      </span>
      {summary.where ? <span className="call-where truncate">{summary.where}</span> : null}
    </>
  );
}

/** A square for each mount that served the call, or, before any did, for the one its path lies in. */
export function CallMounts({ item, summary }: { readonly item: CallItem; readonly summary: CallSummary }) {
  const table = useSessionMounts();
  const path = pathOfCall(item);
  const guessed = path === undefined ? undefined : mountAt(table, path)?.prefix;
  const prefixes = summary.mounts.length > 0 ? summary.mounts : guessed === undefined ? [] : [guessed];
  return (
    <>
      {prefixes.map((prefix) => {
        const mount = table.find((candidate) => candidate.prefix === prefix);
        return <Swatch key={prefix} color={mount?.color ?? 8} label={mountWords(prefix, mount)} />;
      })}
    </>
  );
}

function mountWords(prefix: string, mount: { readonly readOnly: boolean } | undefined): string {
  if (mount === undefined) return `mount ${prefix}, no longer there`;
  return `mount ${prefix}${mount.readOnly ? ", read-only" : ""}`;
}
