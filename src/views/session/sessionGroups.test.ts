import { expect, test } from "vitest";
import type { SessionRecord } from "../../storage";
import { groupedSessions, usefulFilters, type SessionFilter } from "./sessionGroups";

function record(id: string, origin: SessionRecord["origin"], experimentId?: string): SessionRecord {
  const base = { id, name: id, createdAt: 1, updatedAt: 1, eventCount: 1, status: "ready", preview: "", origin };
  return experimentId === undefined ? base : { ...base, experimentId };
}

const records = [
  record("c2b", "compare", "two"),
  record("c2a", "compare", "two"),
  record("own", "live"),
  record("c1", "compare", "one"),
  record("brought", "import"),
];

test("a person's own sessions come first, the runs of a comparison under one entry; a filter leaves the rest out", () => {
  const ids = (filter: SessionFilter) => {
    const { own, comparisons } = groupedSessions(records, filter);
    return [own.map(({ id }) => id), comparisons.map((group) => group.records.map(({ id }) => id))];
  };
  expect({ all: ids("all"), runs: ids("runs"), comparisons: ids("comparisons"), imported: ids("imported") }).toEqual({
    all: [
      ["own", "brought"],
      [["c2b", "c2a"], ["c1"]],
    ],
    runs: [["own"], []],
    comparisons: [[], [["c2b", "c2a"], ["c1"]]],
    imported: [["brought"], []],
  });
});

test("the sessions of a file that holds many are folded under it, in its order; those of one with few are not", () => {
  const of = (fileName: string, count: number) =>
    Array.from({ length: count }, (_, index): SessionRecord => {
      const id = `${fileName} ${index}`;
      const imported = { format: "aider", version: "1", fileName, original: fileName, recordedId: id };
      return { ...record(id, "import"), imported };
    });
  const many = of("many", 13);
  const few = of("few", 12);
  const own = record("own", "live");
  const all = [...many.slice(0, 5), own, ...few, ...many.slice(5)];
  expect(groupedSessions(all, "imported")).toEqual({
    own: few,
    files: [{ key: "many\nmany", fileName: "many", records: many }],
    comparisons: [],
  });
});

test("only filters that would leave something out are offered", () => {
  expect([usefulFilters(records), usefulFilters(records.slice(0, 3)), usefulFilters(records.slice(0, 2))]).toEqual([
    ["all", "runs", "comparisons", "imported"],
    ["all", "runs", "comparisons"],
    [],
  ]);
});
