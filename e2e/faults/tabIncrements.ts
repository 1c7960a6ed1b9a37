import { ConflictError, memoryFile, type IdbFileSystem } from "../../src/fs";

const COUNTER = "/counter";

/** Adds one, for ever, and in the same commit tells in a file of the tab's own how often it did. */
export async function countForEver(
  disk: IdbFileSystem,
  tab: string,
  acknowledge: (count: number) => void,
): Promise<never> {
  for (let count = 1; ;) {
    const increment = await nextIncrement(disk);
    try {
      await disk.commit([increment, { kind: "write", path: `/by/${tab}`, file: memoryFile(String(count), 0) }]);
      acknowledge(count++);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await disk.refresh();
    }
  }
}

/** The number, and how often each tab says it added to it. */
export async function counts(disk: IdbFileSystem, tabs: readonly string[]): Promise<{ value: number; by: number[] }> {
  const by: number[] = [];
  for (const tab of tabs) by.push(Number(await disk.read(`/by/${tab}`)));
  const value = (await disk.stat(COUNTER)).kind === "file" ? Number(await disk.read(COUNTER)) : 0;
  return { value, by };
}

/** Adds one to the number in a file so many times by compare-and-swap. @returns how often somebody else was first */
export async function tabIncrements(
  disk: IdbFileSystem,
  rounds: number,
): Promise<{ conflicts: number; value: string }> {
  let conflicts = 0;
  for (let round = 0; round < rounds;) {
    const increment = await nextIncrement(disk);
    try {
      await disk.commit([increment]);
      round++;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      conflicts++;
      await disk.refresh();
    }
  }
  await disk.refresh();
  return { conflicts, value: String(await disk.read(COUNTER)) };
}

/** One more than the number is now, on the condition that it still is. */
async function nextIncrement(disk: IdbFileSystem) {
  const before = (await disk.snapshot()).file(COUNTER);
  const value = before === undefined ? 0 : Number(new TextDecoder().decode(await before.bytes()));
  return {
    kind: "write" as const,
    path: COUNTER,
    file: memoryFile(String(value + 1), 0),
    expectedHash: before?.hash ?? null,
  };
}
