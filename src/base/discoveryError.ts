/** One thing wrong with a definition: where, what, and the way out. */
export interface DiscoveryFault {
  /** The field or fields at fault, e.g. `tools` or `root + local.cwd`. */
  readonly field: string;
  readonly problem: string;
  readonly mend: string;
}

/** Thrown once for a definition, with every fault found in it. */
export class DiscoveryError extends Error {
  readonly code = "discovery";
  readonly faults: readonly DiscoveryFault[];

  constructor(faults: readonly DiscoveryFault[]) {
    super(faults.map((fault) => `${fault.field}: ${fault.problem} ${fault.mend}`).join("\n"));
    this.name = "DiscoveryError";
    this.faults = faults;
  }
}
