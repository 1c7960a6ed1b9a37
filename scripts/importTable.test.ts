import { readdirSync, readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, importTable, packageOwners, type Import } from "./importTable";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => `src/${file.replaceAll("\\", "/")}`)
  .filter((file) => /\.tsx?$/.test(file));
const isTest = (file: string) => /\.(test|suite)\.tsx?$/.test(file);
const folderOf = (file: string) => (file.split("/").length > 2 ? (file.split("/")[1] ?? "") : "");
const allImports = sources.flatMap((file) => importsOf(file, readFileSync(file, "utf8")));

/** The folder of `src` an import reaches into, or `undefined` for its own folder and packages. */
function target({ file, specifier }: Import): { folder: string; inside: string } | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = posix.join(dirname(file), specifier.replace(/\?.*$/, ""));
  const [top, folder = "", ...inside] = path.split("/");
  // A test may lean on what the commands lean on.
  if (top === "scripts" && isTest(file)) return undefined;
  return folder === folderOf(file) ? undefined : { folder, inside: inside.join("/") };
}

function packageName(specifier: string): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

function ownersOf(name: string): readonly string[] | undefined {
  return packageOwners[name] ?? packageOwners[`${name.split("/")[0]}/*`];
}

describe("the import table", () => {
  test("names every folder of src", () => {
    const folders = [...new Set(sources.map(folderOf).filter(Boolean))];
    expect(folders.filter((folder) => importTable[folder] === undefined)).toEqual([]);
  });

  test("is held by every import of a folder, types included", () => {
    const broken = allImports.flatMap((item) => {
      const reached = target(item);
      const rule = importTable[folderOf(item.file)];
      if (reached === undefined || rule === undefined) return [];
      if (isTest(item.file) && (reached.folder === "testing" || reached.folder === "examples")) return [];
      const allowed = rule.folders.includes(reached.folder) || (item.typeOnly && rule.types?.includes(reached.folder));
      return allowed ? [] : [`${item.file} imports ${item.specifier}`];
    });
    expect(broken).toEqual([]);
  });

  test("folders are entered by their index only", () => {
    const broken = allImports.flatMap((item) => {
      const reached = target(item);
      const isRoot = folderOf(item.file) === "" || isTest(item.file);
      return reached === undefined || reached.inside === "" || isRoot ? [] : [`${item.file} imports ${item.specifier}`];
    });
    expect(broken).toEqual([]);
  });

  test("a package with an owner is used there and nowhere else", () => {
    const broken = allImports.flatMap((item) => {
      const name = packageName(item.specifier);
      const folder = folderOf(item.file);
      if (name === undefined || folder === "" || isTest(item.file)) return [];
      const owners = ownersOf(name);
      return owners === undefined || owners.includes(folder) ? [] : [`${item.file} imports ${item.specifier}`];
    });
    expect(broken).toEqual([]);
  });

  test("React, Node and the packages of tests stay out of the headless folders", () => {
    const foreign = /^(react|react-dom|zustand|node:.*|eve(\/.*)?|ai)$/;
    const broken = allImports.filter(
      ({ file, specifier }) =>
        !["views", "cli", ""].includes(folderOf(file)) && !isTest(file) && foreign.test(specifier),
    );
    expect(broken.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });
});

describe("reading imports", () => {
  test("sees static, type-only, re-exported, dynamic and worker imports", () => {
    const text = [
      `import { a } from "./a";`,
      `import type { B } from "./b";`,
      `import { type C, type D } from "./c";`,
      `export { e } from "../e";`,
      `import "./f.css";`,
      `const g = await import("./g");`,
      `new Worker(new URL("./h.worker.ts", import.meta.url), { type: "module" });`,
      `// import { i } from "./i";`,
    ].join("\n");
    expect(importsOf("x.ts", text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ["./a", false],
      ["./b", true],
      ["./c", true],
      ["../e", false],
      ["./f.css", false],
      ["./g", false],
      ["./h.worker.ts", false],
    ]);
  });
});
