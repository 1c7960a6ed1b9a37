import { describe, expect, test } from "vitest";
import { StateList } from "./stateList";

const listOf = (length: number): StateList<number> => {
  let list: StateList<number> = StateList.empty;
  for (let value = 0; value < length; value++) list = list.appended(value);
  return list;
};

describe("a list of a state", () => {
  test.each([0, 1, 31, 32, 33, 1_023, 1_024, 1_025, 33_000])("holds %i values in order", (length) => {
    const list = listOf(length);
    const expected = Array.from({ length }, (_, index) => index);
    expect([list.length, list.last, list.get(length), list.get(-1)]).toEqual([
      length,
      length === 0 ? undefined : length - 1,
      undefined,
      undefined,
    ]);
    expect([...list]).toEqual(expected);
    expect(expected.map((index) => list.get(index))).toEqual(expected);
  });

  test("leaves a list as it was when another grows from it or changes a value", () => {
    const base = listOf(40);
    const [one, other, changed] = [base.appended(1), base.appended(2), base.with(3, -3)];
    expect([...base]).toEqual([...listOf(40)]);
    expect([one.get(40), other.get(40), one.length, other.length]).toEqual([1, 2, 41, 41]);
    expect([changed.get(3), changed.get(2), changed.get(39), base.get(3)]).toEqual([-3, 2, 39, 3]);
  });

  test("stays the same object when nothing changes", () => {
    const list = listOf(40);
    expect(list.with(3, 3)).toBe(list);
    expect(list.with(40, 1)).toBe(list);
    expect(
      list.withLast(
        (value) => value > 99,
        (value) => value + 1,
      ),
    ).toBe(list);
  });

  test("finds and changes the last value that passes", () => {
    const list = listOf(40);
    expect([list.findLast((value) => value < 9), list.findLastIndex((value) => value > 99)]).toEqual([8, -1]);
    expect(
      [
        ...list.withLast(
          (value) => value < 2,
          () => 7,
        ),
      ].slice(0, 3),
    ).toEqual([0, 7, 2]);
  });
});
