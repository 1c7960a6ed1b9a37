import { useStore } from "zustand";
import { CopyButton } from "../session/CopyButton";
import { LongText } from "../session/LongText";
import { useWorkbench } from "../workbenchContext";
import { EmptyState } from "../widgets/EmptyState";
import { EventFiles } from "./EventFiles";

/** The event at hand, exactly as it is saved, and above it the files it read and changed. */
export function EventView() {
  const { replay } = useWorkbench();
  const event = useStore(replay, (state) => state.event);
  const index = useStore(replay, (state) => state.index);
  if (event === undefined) return <EmptyState text="Before the first event nothing is there yet." />;
  const text = JSON.stringify(event, undefined, 2);
  return (
    <div className="event-view scroll">
      <p className="event-tools">
        <CopyButton what="the event" text={() => text} />
      </p>
      <EventFiles event={event} />
      <LongText key={index} text={text} />
    </div>
  );
}
