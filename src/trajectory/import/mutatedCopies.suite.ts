import { expect } from "vitest";
import { TrajectoryError } from "../trajectoryError";
import type { ImportedTrajectory } from "./importedTrajectory";
import { importOne } from "./publishedFile.suite";

const REPLACEMENTS: readonly unknown[] = [null, 7, "text", [], {}, [null], { __proto__: 1, constructor: null }, true];

/**
 * Copies of a value, each with one thing in it replaced by something of another type, left out, or doubled. The
 * replacements go round, so that all of them meet what is alike.
 */
export function mutatedCopies(value: unknown): Generator {
  let round = 0;
  const next = (): unknown => REPLACEMENTS[round++ % REPLACEMENTS.length];
  return copies(value, next);
}

function* copies(value: unknown, next: () => unknown): Generator {
  yield next();
  if (Array.isArray(value)) {
    const items = value as unknown[];
    yield [...items, ...items];
    for (const [index, item] of items.entries()) {
      yield items.toSpliced(index, 1);
      for (const copy of copies(item, next)) yield items.toSpliced(index, 1, copy);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _left, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const copy of copies(item, next)) yield { ...rest, [name]: copy };
    }
  }
}

/** Calls and results of a log: ids of the calls, and how many results each has. */
export function openCalls({ sessions }: ImportedTrajectory): string[] {
  return sessions.flatMap(({ events }) => {
    const results = new Map<string, number>();
    for (const { type, data } of events) {
      if (type === "actions.requested")
        for (const { callId } of data.actions) results.set(callId, results.get(callId) ?? 0);
      else if (type === "action.result") results.set(data.result.callId, (results.get(data.result.callId) ?? 0) + 1);
    }
    return [...results].filter(([, count]) => count !== 1).map(([callId, count]) => `${callId}: ${count}`);
  });
}

/** Whatever is changed in a recording, its import ends, no reader fails, and every call has one result. */
export async function expectMutationsToBeRead(
  recording: unknown,
  written: (copy: unknown) => string = (copy) => JSON.stringify(copy),
): Promise<void> {
  const faults: string[] = [];
  let readCount = 0;
  for (const copy of mutatedCopies(recording)) {
    const content = written(copy);
    try {
      const imported = await importOne(content);
      readCount++;
      const failed = imported.warnings.filter(({ code }) => code === "reader-failed").map(({ message }) => message);
      const problems = [...failed, ...openCalls(imported)];
      if (problems.length > 0) faults.push(`${problems.join(", ")} in ${content}`);
    } catch (error) {
      if (!(error instanceof TrajectoryError)) faults.push(`${String(error)} of ${content}`);
    }
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(readCount).toBeGreaterThan(10);
}
