import type { SearchResult } from "../fileSystem";
import { decodedText } from "../grep/decodedText";
import type { SnapshotTree } from "../snapshotTree";
import type { FoundPassage } from "./foundPassage";

/** A passage with its text, read from the tree. */
export async function searchResult(tree: SnapshotTree, passage: FoundPassage): Promise<SearchResult> {
  const { path, score, startLine, endLine } = passage;
  const bytes = await tree.file(path)?.bytes();
  const lines = bytes === undefined ? [] : (decodedText(bytes)?.text ?? "").split("\n");
  const text = lines.slice(startLine - 1, endLine).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return { path, score, startLine, endLine, text: text.join("\n") };
}
