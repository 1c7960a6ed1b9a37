import { memoryFile, type IdbFileSystem } from "../../src/fs";
import type { ProjectStore } from "../../src/storage";
import { chosen, filesOf, stepOf, textOf, type Verdict, type Workload } from "./workload";

const FILES = 150;

/** Single files, four writes on their way at a time: any may share its transaction with its neighbours. */
export const singleWrites: Workload = {
  async run({ disk }, from, acknowledge) {
    const waiting: Promise<void>[] = [];
    for (let step = from; ; step++) {
      const path = `/single/${step % FILES}.txt`;
      waiting.push(disk.write(path, textOf(step, path, chosen(step, 20_000))));
      if (waiting.length < 4) continue;
      await waiting.shift();
      acknowledge(step - 2);
    }
  },
  async check({ disk }, acknowledged) {
    const losses: string[] = [];
    const found = new Map<number, number>();
    for (const path of await filesOf(disk, "/single")) {
      const step = stepOf(await disk.read(path), path);
      if (step === undefined) losses.push(`${path} is half`);
      else found.set(Number(path.slice(8, -4)), step);
    }
    const steps = Math.max(0, ...[...found.values()].map((step) => step + 1));
    if (steps < acknowledged) losses.push(`${acknowledged} writes were acknowledged, ${steps} are there`);
    // Later steps are there, so that every earlier one must be, or the one that wrote over it.
    for (let step = Math.max(0, steps - FILES); step < steps; step++)
      if (found.get(step % FILES) !== step) losses.push(`step ${step} is lost, though a later one is there`);
    return { losses, steps, compared: found.size };
  },
};

const IMPORTED = 400;
const IMPORTS = 5;

/** Whole directories of small files written at once, each over the one of five imports before. */
export const imports: Workload = {
  async run({ disk }, from, acknowledge) {
    for (let step = from; ; step++) {
      await disk.writeMany(
        Array.from({ length: IMPORTED }, (_, index) => {
          const path = `/import/${step % IMPORTS}/${index}.txt`;
          return [path, textOf(step, path, chosen(step + index * 7_919, 6_000))] as const;
        }),
      );
      acknowledge(step + 1);
    }
  },
  check: ({ disk }, acknowledged) =>
    checkedGroups(disk, acknowledged, IMPORTS, (group) =>
      Array.from({ length: IMPORTED }, (_, index) => `/import/${group}/${index}.txt`),
    ),
};

const LARGE_FILES = 3;

/** Files of several pieces of 1 MiB, one after the other, each over the third before. */
export const largeFiles: Workload = {
  async run({ disk }, from, acknowledge) {
    for (let step = from; ; step++) {
      const path = `/large/${step % LARGE_FILES}.txt`;
      await disk.write(path, textOf(step, path, 2_500_000 + chosen(step, 6_000_000)));
      acknowledge(step + 1);
    }
  },
  check: ({ disk }, acknowledged) => checkedGroups(disk, acknowledged, LARGE_FILES, (group) => [`/large/${group}.txt`]),
};

/** Step n writes group n of so many, all its files in one. */
async function checkedGroups(
  disk: IdbFileSystem,
  acknowledged: number,
  groups: number,
  pathsOf: (group: number) => readonly string[],
): Promise<Verdict> {
  const losses: string[] = [];
  const present = new Set(await filesOf(disk));
  const found: (number | undefined)[] = [];
  for (let group = 0; group < groups; group++) {
    const paths = pathsOf(group);
    const there = paths.filter((path) => present.has(path));
    if (there.length > 0 && there.length < paths.length)
      losses.push(`${there.length} of ${paths.length} files of group ${group}`);
    const steps = new Set<number | undefined>();
    for (const path of there) steps.add(stepOf(await disk.read(path), path));
    if (steps.size > 1 || steps.has(undefined))
      losses.push(`group ${group} is a mixture or half: ${[...steps].join(", ")}`);
    found.push([...steps][0]);
  }
  const steps = Math.max(0, ...found.map((step) => (step ?? -1) + 1));
  if (steps < acknowledged) losses.push(`${acknowledged} steps were acknowledged, ${steps} are there`);
  for (let step = Math.max(0, steps - groups); step < steps; step++)
    if (found[step % groups] !== step) losses.push(`step ${step} is lost, though a later one is there`);
  return { losses, steps, compared: present.size };
}

const PATHS = 600;

/** What the disk holds after so many steps of `commits`: path to the step that wrote it. */
function modelAfter(steps: number): Map<string, number> {
  const model = new Map<string, number>();
  for (let step = 0; step < steps; step++) changeModel(model, step);
  return model;
}

/** The changes of one step, made in the model. */
function changeModel(model: Map<string, number>, step: number) {
  const written = step === 0 ? PATHS : 1 + chosen(step, 4);
  const pathAt = (index: number) => `/commits/${index % 50}/${index}.txt`;
  const writes = Array.from({ length: written }, (_, index) =>
    pathAt(step === 0 ? index : chosen(step * 31 + index, PATHS)),
  );
  for (const path of writes) model.set(path, step);
  const gone = pathAt(chosen(step * 17 + 5, PATHS));
  const removed = step % 3 === 0 && model.delete(gone) ? gone : undefined;
  return { writes: [...new Set(writes)].filter((path) => path !== removed), removed };
}

/** The commits of a busy disk with checkpoints and clean-ups going on: many small ones, each of several edits. */
export const commits: Workload = {
  async run({ disk, store }, from, acknowledge) {
    const model = modelAfter(from);
    void sweepForEver(store, disk);
    for (let step = from; ; step++) {
      const { writes, removed } = changeModel(model, step);
      await disk.commit([
        ...writes.map((path) => ({
          kind: "write" as const,
          path,
          file: memoryFile(textOf(step, path, chosen(step, 3_000)), 0),
        })),
        ...(removed === undefined || step === 0 ? [] : [{ kind: "delete" as const, path: removed }]),
        { kind: "write", path: "/last", file: memoryFile(String(step), 0) },
      ]);
      acknowledge(step + 1);
    }
  },
  async check({ disk, store }, acknowledged) {
    const losses: string[] = [];
    const last = (await disk.stat("/last")).kind === "file" ? Number(await disk.read("/last")) : -1;
    const steps = last + 1;
    if (steps < acknowledged) losses.push(`${acknowledged} commits were acknowledged, ${steps} are there`);
    const model = modelAfter(steps);
    const present = await filesOf(disk, "/commits");
    for (const path of present) {
      const step = stepOf(await disk.read(path), path);
      if (step !== model.get(path)) losses.push(`${path} is of step ${step}, not ${model.get(path)}`);
      model.delete(path);
    }
    for (const path of model.keys()) losses.push(`${path} is missing`);
    await store.sweep();
    return { losses, steps, compared: present.length };
  },
};

/** Clean-ups with a breath between them, and what makes them worth it: trees kept and let go. */
async function sweepForEver(store: ProjectStore, disk: IdbFileSystem): Promise<never> {
  for (;;) {
    const tree = await disk.snapshot();
    await store.keepSnapshot("kept", tree);
    await store.sweep({ held: [tree] });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
