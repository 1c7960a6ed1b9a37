import type { SessionImport } from "../../store";
import { byteText, countText } from "../widgets/byteText";
import { Progress } from "../widgets/Progress";
import { useSessionState } from "./useSessionState";

/** Sessions that are being imported, each with how far it is and a way to stop it. */
export function ImportStrip() {
  const imports = useSessionState((state) => state.imports);
  const cancelImport = useSessionState((state) => state.cancelImport);
  if (imports.length === 0) return null;
  return (
    <div className="import-strip">
      {imports.map((each) => (
        <Progress
          key={each.id}
          label={`Importing ${each.name}`}
          detail={progressWords(each)}
          {...shareOf(each)}
          {...(each.isStopping ? {} : { onStop: () => cancelImport(each.id) })}
        />
      ))}
    </div>
  );
}

/** `reading… 12 MB of 100 MB` while it is read, then what of its events is stored. */
function progressWords({ bytes, totalBytes, events, storedEvents, isStopping }: SessionImport): string {
  if (isStopping) return "stopping…";
  if (storedEvents !== undefined) {
    if (storedEvents > events) return `${countText(storedEvents, "event")} stored`;
    return `${storedEvents.toLocaleString("en")} of ${countText(events, "event")} stored`;
  }
  const found = events === 0 ? "" : `, ${countText(events, "event")}`;
  // All is taken in, and its events are being made: nothing tells how far that is.
  if (bytes >= totalBytes) return `reading…${found}`;
  return `reading… ${byteText(bytes)} of ${byteText(totalBytes)}${found}`;
}

/** Reading is the first half, storing the second; nothing where it cannot be told, or when it is given up. */
function shareOf({ bytes, totalBytes, events, storedEvents, isStopping }: SessionImport): { readonly share?: number } {
  if (isStopping) return {};
  if (storedEvents === undefined) return { share: (0.5 * bytes) / Math.max(1, totalBytes) };
  return storedEvents > events ? {} : { share: 0.5 + (0.5 * storedEvents) / Math.max(1, events) };
}
