import { expect, test } from "vitest";
import { describeAgainstModel } from "../fileSystemModel.suite";
import { UnavailableError } from "../pathError";
import { idbFs } from "./idbFs";
import { memoryRecords } from "./memoryRecords";
import { openProjectDatabase } from "./projectDatabase";

describeAgainstModel(
  "idbFs in memory",
  async (files) => {
    const tree = idbFs({ database: await openProjectDatabase("m", { storage: "memory" }), disk: "d" });
    await tree.writeMany(Object.entries(files));
    return tree;
  },
  { runs: 50 },
);

test("keys are in order: numbers before strings, shorter before longer", async () => {
  const records = memoryRecords();
  const keys = [["a"], ["a", 2], ["a", 10], ["a", "b"], ["a", "b", 0], ["b"]];
  await records.write(async (writer) => {
    for (const key of keys.toReversed()) writer.put(key, key.join());
  });
  expect(await records.read((reader) => reader.keys({ prefix: [] }))).toEqual(keys);
  expect(await records.read((reader) => reader.keys({ prefix: ["a"], from: 10, limit: 2 }))).toEqual([
    ["a", 10],
    ["a", "b"],
  ]);
  expect(await records.read((reader) => reader.last(["a"], 9))).toEqual([["a", 2], "a,2"]);
});

test("a transaction that throws leaves nothing, and those that write wait for each other", async () => {
  const records = memoryRecords();
  const failed = records.write(async (writer) => {
    writer.put(["n"], 100);
    await Promise.resolve();
    throw new Error("no");
  });
  const add = () => records.write(async (writer) => writer.put(["n"], Number((await writer.get(["n"])) ?? 0) + 1));
  const added = Promise.all([add(), add(), add()]);
  await expect(failed).rejects.toThrow("no");
  await added;
  expect(await records.read((reader) => reader.get(["n"]))).toBe(3);
});

test("closed, it is unavailable", async () => {
  const records = memoryRecords();
  records.close();
  await expect(records.read((reader) => reader.get(["n"]))).rejects.toBeInstanceOf(UnavailableError);
});
