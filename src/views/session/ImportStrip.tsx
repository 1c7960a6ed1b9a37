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
          share={shareOf(each)}
          onStop={() => cancelImport(each.id)}
        />
      ))}
    </div>
  );
}

/** `12 of 100 MB, 48,000 events` while it is read, then what of them is stored. */
function progressWords({ bytes, totalBytes, events, storedEvents }: SessionImport): string {
  if (storedEvents !== undefined) return `${storedEvents.toLocaleString("en")} of ${countText(events, "event")} stored`;
  return `${byteText(bytes)} of ${byteText(totalBytes)}, ${countText(events, "event")}`;
}

/** Reading is the first half, storing the second. */
function shareOf({ bytes, totalBytes, events, storedEvents }: SessionImport): number {
  if (storedEvents === undefined) return (0.5 * bytes) / Math.max(1, totalBytes);
  return 0.5 + 0.5 * Math.min(1, storedEvents / Math.max(1, events));
}
