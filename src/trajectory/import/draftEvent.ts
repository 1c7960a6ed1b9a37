import type { EventData, EventMeta, SessionEvent, SessionEventType } from "../../session";

type Mutable<Data> = { -readonly [Key in keyof Data]: Data[Key] };

/** An event of a session that is still being written down: a later entry may say more of it. */
export interface DraftEvent<Type extends SessionEventType = SessionEventType> {
  type: Type;
  data: Mutable<EventData[Type]>;
  meta: EventMeta;
}

/** The events of a draft, once it is finished. */
export function eventsOf(drafts: readonly DraftEvent[]): SessionEvent[] {
  return drafts as unknown as SessionEvent[];
}
