import { readdir, stat } from "node:fs/promises";

const MODULE = /\.m?[jt]s$/;
const NOT_A_PART = /\.(test|spec|d)\.m?[jt]s$/;

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Names of the files in a directory in order; none where there is no such directory. */
export async function filesIn(directory: string): Promise<string[]> {
  return (await entriesIn(directory)).filter(({ isFolder }) => !isFolder).map(({ name }) => name);
}

export async function entriesIn(directory: string): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter(({ name }) => !name.startsWith("."))
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Names of the modules in a directory that define something: no tests, no declarations. */
export async function modulesIn(directory: string): Promise<string[]> {
  return (await filesIn(directory)).filter((name) => MODULE.test(name) && !NOT_A_PART.test(name));
}

/** What a module defines is called. */
export function moduleName(file: string): string {
  return file.replace(MODULE, "");
}
