import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contentSecurityPolicy, isolationHeaders } from "./pageHeaders.mjs";

const expected = { ...isolationHeaders, "Content-Security-Policy": contentSecurityPolicy };

test("the static hosts' header file says what the preview server says", () => {
  const lines = readFileSync("public/_headers", "utf8").trim().split("\n");
  expect(lines).toEqual(["/*", ...Object.entries(expected).map(([name, value]) => `  ${name}: ${value}`)]);
});

test("so does Vercel's file", () => {
  const { headers } = JSON.parse(readFileSync("vercel.json", "utf8")) as { headers: unknown };
  const all = Object.entries(expected).map(([key, value]) => ({ key, value }));
  expect(headers).toEqual([{ source: "/(.*)", headers: all }]);
});
