import { describe, expect, it } from "vitest";
import { SlicedFilter } from "./slicedFilter";

async function collected<T>(iterator: AsyncIterator<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of { [Symbol.asyncIterator]: () => iterator }) items.push(item);
  return items;
}

function* numbers(count: number): Generator<number> {
  for (let number = 0; number < count; number++) yield number;
}

function waitMs(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe("SlicedFilter", () => {
  it("gives what is taken, in order", async () => {
    const even = new SlicedFilter(numbers(1_000), (number) => (number % 2 === 0 ? number * 10 : undefined));
    const all = await collected(even);
    expect([all.length, all[0], all[1], all.at(-1)]).toEqual([500, 0, 20, 9_980]);
    expect(await collected(new SlicedFilter(numbers(0), String))).toEqual([]);
  });

  it("lets others run while nothing is taken, and stops when it is left", async () => {
    let looked = 0;
    const slow = new SlicedFilter(numbers(1_000_000), () => {
      looked++;
      waitMs(0.2);
      return undefined;
    });
    const never = slow.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await slow.return();
    expect(await never).toEqual({ done: true, value: undefined });
    expect(looked).toBeLessThan(100_000);
  });

  it("passes on what taking throws", async () => {
    const broken = new SlicedFilter(numbers(3), () => {
      throw new Error("broken");
    });
    await expect(broken.next()).rejects.toThrow("broken");
  });
});
