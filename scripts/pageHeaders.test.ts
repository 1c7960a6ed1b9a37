import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contentSecurityPolicy, isolationHeaders } from "./pageHeaders.mjs";

test("the static hosts' header file says what the preview server says", () => {
  const lines = readFileSync("public/_headers", "utf8").trim().split("\n");
  const expected = { ...isolationHeaders, "Content-Security-Policy": contentSecurityPolicy };
  expect(lines).toEqual(["/*", ...Object.entries(expected).map(([name, value]) => `  ${name}: ${value}`)]);
});
