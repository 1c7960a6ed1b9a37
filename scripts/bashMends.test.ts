import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { mendedBash } from "./bashMends";

describe("mendedBash", () => {
  it("finds each of its places once in the package, and refuses another one", async () => {
    const script = await readFile("node_modules/just-bash/dist/bundle/browser.js", "utf8");
    const mended = mendedBash(script);
    expect(mended.length).not.toBe(script.length);
    expect(() => mendedBash(mended)).toThrow("just-bash is another than it was");
  });
});
