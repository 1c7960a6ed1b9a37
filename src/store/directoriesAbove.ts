import { parentPath } from "../fs";

/** Every directory above a path but `/`, the nearest first. */
export function directoriesAbove(path: string): string[] {
  const directories: string[] = [];
  for (let above = parentPath(path); above !== "/"; above = parentPath(above)) directories.push(above);
  return directories;
}
