import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mendedJson } from "./mendedJson";

test("a text that was cut is read up to there, and what was open is closed", () => {
  const text = '{"a":[1,{"b":"two"},"thr';
  expect(mendedJson(text)).toEqual({
    value: { a: [1, { b: "two" }] },
    problems: [{ at: 20, isCut: true }],
  });
  // A long output has many commas and brackets in it.
  const output = `{"a":1,"b":"${"x, {y}, ".repeat(200)}`;
  expect(mendedJson(output)).toEqual({ value: { a: 1 }, problems: [{ at: 11, isCut: true }] });
  expect(mendedJson('{"a":1,"b"')).toMatchObject({ value: { a: 1 } });
  expect(mendedJson("[1,2")).toEqual({ value: [1, 2], problems: [{ at: 4, isCut: true }] });
});

test("what cannot be read costs itself: a field, an element, a bracket of the wrong kind", () => {
  expect(mendedJson('{"a":oops,"b":2}')).toEqual({ value: { b: 2 }, problems: [{ at: 5, isCut: false }] });
  expect(mendedJson("[1,+,3]")).toEqual({ value: [1, 3], problems: [{ at: 3, isCut: false }] });
  expect(mendedJson('{"a":[1,2},"b":3}')).toMatchObject({ value: { a: [1, 2] } });
  expect(mendedJson('{"a":"bad \\x escape","b":1}')).toMatchObject({ value: { b: 1 } });
});

test("nothing is made of what is no JSON", () => {
  expect([mendedJson(""), mendedJson("hello"), mendedJson('"text"'), mendedJson(`{${"oops,".repeat(300)}}`)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("JSON is read as JSON reads it, and any cut of it without harm", () => {
  fc.assert(
    fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      expect(mendedJson(text)).toEqual({ value: JSON.parse(text) as unknown, problems: [] });
      mendedJson(text.slice(0, cut % (text.length + 1)));
    }),
    { numRuns: 300, seed: 1 },
  );
});
