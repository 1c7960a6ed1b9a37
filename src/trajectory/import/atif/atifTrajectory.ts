import type { SourceRecord } from "../format";
import { field, filledText, isRecord, list, record, text, type UnknownRecord } from "../jsonAccess";

/** One step and where it stands. */
export interface AtifStep {
  readonly value: unknown;
  readonly source: SourceRecord;
  readonly pointer: string | undefined;
}

/** One trajectory found in a source, its steps beside it. */
export interface AtifTrajectory {
  /** Of the session. */
  readonly key: string;
  readonly path: string;
  readonly head: UnknownRecord;
  readonly steps: AtifStep[];
  readonly source: SourceRecord;
  /** The trajectory it is embedded in. */
  readonly within?: AtifTrajectory;
}

const SOURCES: ReadonlySet<string> = new Set(["system", "user", "agent"]);

export function isAtifStep(value: unknown): boolean {
  const { source, step_id: id } = record(value);
  return SOURCES.has(text(source) ?? "") && (typeof id === "number" || typeof id === "string");
}

/** Whether an object is a trajectory: it says so, or it has an agent and steps as only these have. */
export function isAtif(value: unknown): value is UnknownRecord {
  if (!isRecord(value) || !Array.isArray(value.steps)) return false;
  if (/^ATIF\b/i.test(text(value.schema_version) ?? "")) return true;
  const isVersioned = /^v?\d+(?:\.\d+)*$/.test(text(value.schema_version) ?? "");
  return (isVersioned || isRecord(value.agent)) && value.steps.length > 0 && value.steps.some(isAtifStep);
}

export function isAtifHeader(value: unknown): boolean {
  return (
    field(value, "__header__") === true &&
    (isRecord(field(value, "agent")) || /^ATIF/i.test(text(field(value, "schema_version")) ?? ""))
  );
}

/** Gathers the trajectories of a file: documents of any nesting, or a header and its steps line by line. */
export class AtifCollector {
  readonly found: AtifTrajectory[] = [];
  #streamed: AtifTrajectory | undefined;

  /** @returns whether the value was a trajectory or a part of one */
  add(path: string, source: SourceRecord): boolean {
    const { value } = source;
    if (isAtifHeader(value)) {
      this.#streamed = { key: this.#key(path), path, head: record(value), steps: [], source };
      this.found.push(this.#streamed);
      return true;
    }
    if (isAtifStep(value)) {
      this.#streamed ??= this.#headless(path, source);
      this.#streamed.steps.push({ value, source, pointer: undefined });
      return true;
    }
    return this.#collect(path, source, value, "", 0);
  }

  #headless(path: string, source: SourceRecord): AtifTrajectory {
    const trajectory: AtifTrajectory = { key: this.#key(path), path, head: {}, steps: [], source };
    this.found.push(trajectory);
    return trajectory;
  }

  #key(path: string): string {
    return `${path}#${this.found.length}`;
  }

  /** Trajectories lie at the top, in a list, or under names of the writer's own (`parent`, `child`). */
  #collect(path: string, source: SourceRecord, value: unknown, pointer: string, depth: number): boolean {
    if (isAtif(value)) {
      this.#trajectory(path, source, value, pointer);
      return true;
    }
    if (depth >= 2) return false;
    let isFound = false;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        if (this.#collect(path, source, item, `${pointer}/${index}`, depth + 1)) isFound = true;
    } else if (isRecord(value)) {
      for (const [name, item] of Object.entries(value))
        if (
          this.#collect(path, source, item, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1)
        )
          isFound = true;
    }
    return isFound;
  }

  #trajectory(
    path: string,
    source: SourceRecord,
    value: UnknownRecord,
    pointer: string,
    within?: AtifTrajectory,
  ): void {
    const steps = list(value.steps).map((step, index) => ({
      value: step,
      source,
      pointer: `${pointer}/steps/${index}`,
    }));
    const trajectory: AtifTrajectory = {
      key: this.#key(path),
      path,
      head: value,
      steps,
      source,
      ...(within !== undefined && { within }),
    };
    this.found.push(trajectory);
    const embedded = value.subagent_trajectories;
    const items = Array.isArray(embedded) ? [...embedded.entries()] : Object.entries(record(embedded));
    for (const [name, item] of items)
      if (isAtif(item)) this.#trajectory(path, source, item, `${pointer}/subagent_trajectories/${name}`, trajectory);
  }
}

/** The names a reference may have for a trajectory, the surest first. */
export function namesOf({ head, path }: AtifTrajectory): string[] {
  const fileName = path.split("/").at(-1);
  return [head.trajectory_id, head.session_id, path, fileName].flatMap((name) => filledText(name) ?? []);
}
