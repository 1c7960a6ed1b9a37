import { useStore } from "zustand";
import { originalPiece } from "../../store";
import { CopyButton } from "../session/CopyButton";
import { LongText } from "../session/LongText";
import { useLoaded } from "../session/useLoaded";
import { useSessionState } from "../session/useSessionState";
import { useWorkbench } from "../workbenchContext";
import { byteText } from "../widgets/byteText";
import { EmptyState } from "../widgets/EmptyState";

/** What stands in the imported file where the event at hand comes from, byte for byte. */
export function OriginalView() {
  const { replay, storage } = useWorkbench();
  const sessionId = useStore(replay, (state) => state.sessionId);
  const origin = useStore(replay, (state) => state.event?.meta.origin);
  const index = useStore(replay, (state) => state.index);
  const record = useSessionState((state) => state.sessions.find(({ id }) => id === sessionId));
  const original = record?.imported?.original;
  const loaded = useLoaded(`${sessionId}/${index}`, async () =>
    original === undefined || origin === undefined ? undefined : await originalPiece(storage, original, origin),
  );
  if (original === undefined) return <EmptyState text="The file this session came from was not kept." />;
  if (origin === undefined)
    return <EmptyState text="This event stands nowhere in the file: the import made it, as the end of a turn is." />;
  if (loaded.state === "loading") return <p className="replay-note dim">Reading…</p>;
  if (loaded.state === "failed") return <p className="replay-note bad">{loaded.message}</p>;
  const piece = loaded.value;
  if (piece === undefined) return <EmptyState text="This piece of the file was not kept." />;
  const place = [
    ...(piece.path === undefined ? [] : [piece.path]),
    ...(piece.line === undefined ? [] : [`line ${piece.line.toLocaleString("en")}`]),
    `byte ${piece.byte.toLocaleString("en")}`,
    byteText(piece.length),
    ...(piece.isCut ? ["its beginning"] : []),
  ];
  return (
    <div className="event-view scroll">
      <p className="small dim numeric original-place">{place.join(" · ")}</p>
      <p className="event-tools">
        <CopyButton what="the original" text={() => piece.text} />
      </p>
      <LongText key={index} text={piece.text} />
    </div>
  );
}
