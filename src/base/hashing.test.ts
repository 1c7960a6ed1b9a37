import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { sha256HexMany } from "./hashing";
import { LANE_BYTES, sha256HexLanes } from "./sha256Lanes";

const oracle = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function bytesOf(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 17 + (at >> 8)) & 255);
}

describe("many values at once", () => {
  test("of every length around a block, in any number, hash as Node hashes them", () => {
    const lengths = [...Array.from({ length: 200 }, (_, length) => length), 1_000, 4_095, 8_192, LANE_BYTES];
    for (const count of [1, 2, 3, 4, 5, lengths.length]) {
      const values = lengths.slice(-count).map(bytesOf);
      expect(sha256HexLanes(values)).toEqual(values.map(oracle));
    }
    expect(sha256HexLanes([])).toEqual([]);
  });

  test("the words of the standard's own example", () => {
    expect(sha256HexLanes([new TextEncoder().encode("abc")])).toEqual([
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ]);
  });

  test("what is too large for a lane is hashed another way, in its order", async () => {
    expect(sha256HexLanes([bytesOf(LANE_BYTES + 1, 1)])).toBeUndefined();
    const values = [LANE_BYTES + 1, 10, 100_000, 0, 64, ...Array.from({ length: 40 }, (_, at) => at * 37)].map(bytesOf);
    expect(await sha256HexMany(values)).toEqual(values.map(oracle));
  });
});
