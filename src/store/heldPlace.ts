import type { SessionPlace } from "./sessionPlace";

/** A place whose mounts can be held as they are for the time of a turn. */
export interface HeldPlace extends SessionPlace {
  /** Whatever a person does to the table from now on, the turn goes on with this one. Answers how to let go of it. */
  hold(): () => void;
  isHeld(): boolean;
}

export function heldPlace(place: SessionPlace): HeldPlace {
  let held: ReturnType<NonNullable<SessionPlace["table"]>> | undefined;
  const now = () => held ?? place;
  return {
    ...place,
    mounts: () => now().mounts(),
    liveTree: (observe) => now().liveTree(observe),
    currentSnapshot: () => now().currentSnapshot(),
    hold() {
      held = place.table?.();
      return () => (held = undefined);
    },
    isHeld: () => held !== undefined,
  };
}
