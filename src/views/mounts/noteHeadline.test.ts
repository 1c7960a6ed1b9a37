import { expect, it } from "vitest";
import { noteHeadline } from "./noteHeadline";

it.each([
  ["Read-only: The server answered 404.", "Read-only: The server answered 404.", ""],
  [
    `Read-only: This store is not safe: it tells no version. It must send a strong ETag. ${"x".repeat(100)}`,
    "Read-only: This store is not safe: it tells no version.",
    `It must send a strong ETag. ${"x".repeat(100)}`,
  ],
  ["x".repeat(200), "x".repeat(200), ""],
])("has a whole sentence before what is folded: %s", (words, headline, further) => {
  expect(noteHeadline(words)).toEqual([headline, further]);
});
