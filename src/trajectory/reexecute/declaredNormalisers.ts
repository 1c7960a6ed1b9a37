import type { SessionEvent } from "../../session";
import type { DeclaredNormaliser } from "./divergenceReport";
import type { Placement } from "./foreign/placement";
import { foreignNormalisers } from "./foreign/recordedReading";
import { defaultNormalisers, rootPath } from "./normalisers";
import { isForeignLog } from "./recordedCalls";

/** What a re-execution of a log takes for the same, before it runs; a report names them again. */
export function declaredNormalisers(
  events: readonly SessionEvent[],
  { root }: Pick<Placement, "root"> = {},
): readonly DeclaredNormaliser[] {
  const moved = root === undefined || root.recorded === root.here ? [] : [rootPath(root.recorded, root.here)];
  return [
    ...[...moved, ...defaultNormalisers].map(({ name, about }) => ({ name, about })),
    ...(isForeignLog(events) ? foreignNormalisers : []),
  ];
}
