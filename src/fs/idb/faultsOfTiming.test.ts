import { expect, test } from "vitest";
import { memoryFile } from "../memoryFile";
import { idbFs } from "./idbFs";
import { openProjectDatabase } from "./projectDatabase";

/** Turns of the queue of promises in which a commit, and what it leaves to be done, has surely ended. */
const TURNS = 40;

test("a commit made at any moment after another is stored, too", async () => {
  const database = await openProjectDatabase("timing", { storage: "memory" });
  const disk = idbFs({ database, disk: "d" });
  const commit = (path: string) => disk.commit([{ kind: "write", path, file: memoryFile(path, 0) }]);
  for (let turns = 0; turns < TURNS; turns++) {
    let left = turns;
    const first = commit(`/first ${turns}`);
    const second = (async () => {
      await first;
      while (left-- > 0) await Promise.resolve();
      await commit(`/second ${turns}`);
    })();
    const stuck = new Promise((resolve) => setTimeout(() => resolve(`stuck after ${turns} turns`), 2_000));
    expect(await Promise.race([second, stuck])).toBeUndefined();
  }
});
