import { describe, expect, it } from "vitest";
import { seededRandom } from "../base";
import { changedNames, placeOfName, sortedNames } from "./sortedNames";

describe("sorted names", () => {
  it("stand as people sort them", () => {
    expect(sortedNames(["file10", "Zeta", "file2", "é", "alpha", "File2", "f"])).toEqual([
      "alpha",
      "é",
      "f",
      "File2",
      "file2",
      "file10",
      "Zeta",
    ]);
  });

  it("change to what a sort of all would give, whatever goes and comes", () => {
    const random = seededRandom("names");
    const pick = (count: number) => Array.from({ length: count }, () => `n${Math.floor(random() * 300)}`);
    for (let round = 0; round < 40; round++) {
      const before = new Set(pick(120));
      const [gone, come] = [pick(20), [...new Set(pick(20))]];
      const after = new Set([...before].filter((name) => !gone.includes(name)));
      const fresh = come.filter((name) => !before.has(name));
      for (const name of fresh) after.add(name);
      const names = changedNames(sortedNames([...before]), [...new Set(gone)], fresh);
      expect(names).toEqual(sortedNames([...after]));
      expect(names.map((name) => placeOfName(names, name))).toEqual([...names.keys()]);
      expect(placeOfName(names, "n")).toBe(-1);
    }
  });
});
