import { limits, type JsonObject } from "../base";
import { counted } from "./counted";
import type { DirectoryTreeNode, ListOutput } from "./toolOutputs";

/** The tree as a model reads it: the root, then an entry a line, two spaces a level. */
export function listText(value: JsonObject): string | undefined {
  const { directoryTreeRoot: root, hiddenEntries = 0 } = value as ListOutput;
  if (typeof root?.absPath !== "string") return undefined;
  const lines = [root.absPath, ...childLines(root, "  ")];
  if (lines.length === 1 && hiddenEntries === 0) lines.push("  (empty directory)");
  if (hiddenEntries > 0) {
    const kinds = root.childrenWereProcessed ? "" : ` (${extensionSummary(root)} here)`;
    lines.push(
      `[${counted(hiddenEntries, "more entry", "more entries")}${kinds}: LS a cut directory, or Glob for the files you want]`,
    );
  }
  return lines.join("\n");
}

function childLines(node: DirectoryTreeNode, indent: string): string[] {
  const children = [
    ...node.childrenDirs.map((directory) => ({
      name: baseOf(directory.absPath),
      lines: directoryLines(directory, indent),
    })),
    ...node.childrenFiles.map(({ name }) => ({ name, lines: [`${indent}- ${name}`] })),
  ];
  return children.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).flatMap(({ lines }) => lines);
}

function directoryLines(node: DirectoryTreeNode, indent: string): string[] {
  const line = `${indent}- ${baseOf(node.absPath)}/`;
  if (!node.childrenWereProcessed) return [`${line} [${counted(node.numFiles, "file")}: ${extensionSummary(node)}]`];
  return [line, ...childLines(node, `${indent}  `)];
}

function extensionSummary(node: DirectoryTreeNode): string {
  const counts = Object.entries(node.fullSubtreeExtensionCounts).toSorted(([, a], [, b]) => b - a);
  const named = counts
    .slice(0, limits.listExtensions)
    .map(([extension, count]) => `${count} ${extension || "without extension"}`);
  const others = counts.slice(limits.listExtensions).reduce((sum, [, count]) => sum + count, 0);
  const all = [...named, ...(others > 0 ? [`${others} others`] : [])];
  return all.length === 0 ? "no files" : all.join(", ");
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
