import { expect, it } from "vitest";
import { readAhead } from "./readAhead";

const options = { count: 3, sizeLimit: 10, sizeOf: (size: number) => size };

it("answers in order and reads no more at a time than it may, by count and by size", async () => {
  let running = 0;
  const seen: number[] = [];
  const answers: (readonly [number, string])[] = [];
  const read = async (item: number) => {
    seen.push(++running);
    await new Promise((resolve) => setTimeout(resolve, item === 1 ? 5 : 1));
    running--;
    return `read ${item}`;
  };
  for await (const answer of readAhead([1, 2, 3, 4, 9, 20, 1], read, options)) answers.push(answer);
  expect(answers).toEqual([1, 2, 3, 4, 9, 20, 1].map((item) => [item, `read ${item}`]));
  expect(Math.max(...seen)).toBe(3);
  expect(seen.slice(4)).toEqual([1, 1, 1]);
});

it("throws what a read throws when its turn comes", async () => {
  const answers: number[] = [];
  const read = (item: number) => (item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item));
  await expect(
    (async () => {
      for await (const [, answer] of readAhead([1, 2, 3], read, options)) answers.push(answer);
    })(),
  ).rejects.toThrow("two");
  expect(answers).toEqual([1]);
});
