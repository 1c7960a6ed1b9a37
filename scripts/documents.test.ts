import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const documents = [
  "README.md",
  "ARCHITECTURE.md",
  ...["docs", "decisions"].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name))),
].filter((file) => file.endsWith(".md"));

/** Relative link targets, without their fragments. */
function links(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map((match) => match[1] ?? "");
}

/** Paths of this project in code spans; a placeholder such as `<date>` names none. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:src|scripts|docs|decisions|e2e|bench|public)\/[^`\s<>*]*)`/g)].map(
    (match) => match[1] ?? "",
  );
}

describe("the documents", () => {
  test("link only to what is there", () => {
    const broken = documents.flatMap((file) =>
      links(readFileSync(file, "utf8"))
        .filter((link) => !existsSync(join(dirname(file), link)))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test("name only paths that are there", () => {
    const broken = documents.flatMap((file) =>
      namedPaths(readFileSync(file, "utf8"))
        .filter((path) => !existsSync(path))
        .map((path) => `${file}: ${path}`),
    );
    expect(broken).toEqual([]);
  });

  test("name only commands that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const commands = documents.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(
        (match) => match[1] ?? "",
      ),
    );
    expect([...new Set(commands)].filter((command) => scripts[command] === undefined)).toEqual([]);
  });
});

test("the comments of the source cite only documents that are there", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const broken = sources.flatMap((file) => {
    const comments = readFileSync(join("src", file), "utf8").matchAll(/^\s*(?:\/?\*|\/\/).*$/gm);
    return [...comments]
      .flatMap(([comment]) => [...comment.matchAll(/\((docs\/[\w-]+\.md)/g)].map((match) => match[1] ?? ""))
      .filter((path) => !existsSync(path))
      .map((path) => `src/${file}: ${path}`);
  });
  expect(broken).toEqual([]);
});
