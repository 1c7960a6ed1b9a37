import { expect, test } from "vitest";
import { allowlistNames } from "../base";
import { effectOfAllowlistName } from "./effectOfAllowlistName";

test("Every allowlist name has one effect", () => {
  const names = (effect: string) => allowlistNames.filter((name) => effectOfAllowlistName(name) === effect);
  expect(names("read")).toEqual([
    "read",
    "ls",
    "grep",
    "glob",
    "semSearch",
    "webSearch",
    "webFetch",
    "readTodos",
    "readLints",
  ]);
  expect(names("write")).toEqual(["edit", "delete", "shell", "mcp"]);
  expect(names("always")).toEqual(["updateTodos", "task"]);
});
