import type { SessionEvent } from "../../session";
import type { TrajectoryErrorCode } from "../trajectoryError";
import type { ImportedSession, ImportedTrajectory } from "./importedTrajectory";
import type { ImportProgress } from "./importTrajectory";
import type { ImportSource } from "./importSource";

/** What the worker is asked: once, for one import. */
export interface ImportRequest {
  readonly source: ImportSource;
}

/**
 * What the worker says. Sessions come first and their events in batches after them, so that whoever gets them has turns
 * in between; `done` is the last word, `failed` too.
 */
export type ImportAnswer =
  | { readonly kind: "progress"; readonly progress: ImportProgress }
  | { readonly kind: "session"; readonly session: Omit<ImportedSession, "events"> }
  | { readonly kind: "events"; readonly events: readonly SessionEvent[] }
  | { readonly kind: "done"; readonly trajectory: Omit<ImportedTrajectory, "sessions"> }
  | { readonly kind: "failed"; readonly code: TrajectoryErrorCode; readonly message: string };
