import { limits } from "../../base";
import type { ProjectDatabase } from "./projectDatabase";
import { sweepOnDemand } from "./sweepOnDemand";

interface Making {
  readonly startedAtMs: number;
  readonly made: Promise<boolean>;
}

/** What was last tried for each project: many writes find no room at the same time. */
const makings = new WeakMap<ProjectDatabase, Making>();

/**
 * Gives back the space of what nothing needs any more, because a write has found no room.
 * @returns whether there was any: then the write is worth another try. Never throws
 */
export function makeRoom(database: ProjectDatabase): Promise<boolean> {
  const now = performance.now();
  const last = makings.get(database);
  if (last !== undefined && now - last.startedAtMs < limits.makeRoomMs) return last.made;
  const made = sweepOnDemand(database, { isFull: true }).then(
    ({ deletedCount }) => deletedCount > 0,
    () => false,
  );
  makings.set(database, { startedAtMs: now, made });
  return made;
}
