import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entriesOf } from "./suiteCase.suite";
import { lazyIterable } from "./lazyIterable";
import { mergedSorted, type MergeSource } from "./mergedSorted";

const ascending = (a: number, b: number) => a - b;
const slow = (items: readonly number[]): MergeSource<number> => ({
  open: async function* open() {
    yield* items;
  },
});
const quick = (items: readonly number[]): MergeSource<number> => ({
  open: () => lazyIterable(() => items.values())[Symbol.asyncIterator](),
});

describe("mergedSorted", () => {
  it("agrees with sorting everything, whatever the sources are", async () => {
    const source = fc.tuple(
      fc.boolean(),
      fc.boolean(),
      fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(source, { maxLength: 5 }), fc.boolean(), async (drawn, unique) => {
        const lists = drawn.map(([, , items]) => items.toSorted(ascending));
        const sources = drawn.map(([isSlow, isBounded], index): MergeSource<number> => {
          const items = lists[index] ?? [];
          const bounds = { floor: (items[0] ?? 0) - 0.5, ceiling: (items.at(-1) ?? 0) + 0.5 };
          return { ...(isSlow ? slow(items) : quick(items)), ...(isBounded && bounds) };
        });
        const all = lists.flat().toSorted(ascending);
        const expected = unique ? [...new Set(all)] : all;
        expect(await entriesOf(mergedSorted(sources, ascending, { unique }))).toEqual(expected);
        expect(await entriesOf(mergedSorted(sources, ascending, { unique, limit: 3 }))).toEqual(expected.slice(0, 3));
      }),
    );
  });

  it("serves calls that do not wait for each other in order", async () => {
    const merged = mergedSorted([slow([1, 3]), quick([2, 4])], ascending)[Symbol.asyncIterator]();
    const steps = await Promise.all(Array.from({ length: 6 }, () => merged.next()));
    expect(steps.map(({ value }) => value as number | undefined)).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  it("closes the others when a source fails, and says what the source's error means", async () => {
    let isClosed = false;
    const endless: MergeSource<number> = {
      async *open() {
        try {
          for (let item = 1; ; item += 2) yield item;
        } finally {
          isClosed = true;
        }
      },
    };
    const failing: MergeSource<number> = {
      async *open() {
        yield 2;
        throw new Error("cut");
      },
      explain: (error) => new Error(`explained: ${(error as Error).message}`),
    };
    await expect(entriesOf(mergedSorted([endless, failing], ascending))).rejects.toThrow("explained: cut");
    expect(isClosed).toBe(true);
  });

  it("passes over any number of items without growing the stack", async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => index);
    const source = { ...quick(many), accept: (item: number) => (item === 199_999 ? item : undefined) };
    expect(await entriesOf(mergedSorted([source], ascending))).toEqual([199_999]);
  });
});
