import type { SessionEvent } from "../../session";
import type { TrajectoryErrorCode } from "../trajectoryError";
import type { ImportedSession, ImportedTrajectory } from "./importedTrajectory";
import type { ImportProgress } from "./importTrajectory";
import type { ImportSource } from "./importSource";

/** What the worker is asked: one import, and `more` whenever what it gave has been taken. */
export type ImportRequest = { readonly kind: "import"; readonly source: ImportSource } | { readonly kind: "more" };

/**
 * What the worker says. When all is read, what is known of the file; then each session and its events in batches after it,
 * each when it is asked for: whoever gets them has turns in between and holds one batch. `done` is the last word, `failed` too.
 */
export type ImportAnswer =
  | { readonly kind: "progress"; readonly progress: ImportProgress }
  | { readonly kind: "about"; readonly about: Omit<ImportedTrajectory, "sessions"> }
  | { readonly kind: "session"; readonly session: Omit<ImportedSession, "events"> }
  | { readonly kind: "events"; readonly events: readonly SessionEvent[] }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly code: TrajectoryErrorCode; readonly message: string };
