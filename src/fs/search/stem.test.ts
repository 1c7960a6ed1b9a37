import { describe, expect, it } from "vitest";
import { stem } from "./stem";

describe("stem", () => {
  it.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["cats", "cat"],
    ["agreed", "agre"],
    ["feed", "feed"],
    ["plastered", "plaster"],
    ["sing", "sing"],
    ["conflated", "conflat"],
    ["hopping", "hop"],
    ["falling", "fall"],
    ["filing", "file"],
    ["happy", "happi"],
    ["sky", "sky"],
    ["relational", "relat"],
    ["rational", "ration"],
    ["digitizer", "digit"],
    ["operator", "oper"],
    ["triplicate", "triplic"],
    ["goodness", "good"],
    ["adjustment", "adjust"],
    ["adoption", "adopt"],
    ["generalizations", "gener"],
    ["probate", "probat"],
    ["controlling", "control"],
    ["rate", "rate"],
    ["is", "is"],
    ["café", "café"],
    ["64", "64"],
  ])("%s is %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it("lets the forms of a word meet", () => {
    for (const forms of [
      "parse parses parsing parsed",
      "create creates creating created",
      "adopt adopts adopting adoption",
      "entry entries",
    ]) {
      const stems = new Set(forms.split(" ").map(stem));
      expect([forms, stems.size]).toEqual([forms, 1]);
    }
  });
});
