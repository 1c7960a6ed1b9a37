import type { ProjectDatabase } from "./projectDatabase";
import type { SweepOptions, SweepResult } from "./sweepProject";

/** `sweepProject`, loaded when a project is first cleaned up: the page itself comes first. @throws what it throws, or when it cannot be loaded */
export async function sweepOnDemand(database: ProjectDatabase, options?: SweepOptions): Promise<SweepResult> {
  return await (await import("./sweepProject")).sweepProject(database, options);
}
