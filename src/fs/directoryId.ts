import { sha256HexSync } from "../base";
import type { ChildNode, DirectoryEntry, TreeEntry } from "./treeEntry";
import { childNodes } from "./treeWalk";

/** Children that share one id: few enough that a change hashes little, enough that a tree has few ids. Ids rest on it. */
const PAGE_CHILDREN = 64;
/** Bytes hashed before others get a turn: some 20 ms. */
const BREATH_BYTES = 2 * 1024 * 1024;
/** What hashing a file costs beside its bytes, in bytes: most files are small. */
const FILE_COST_BYTES = 512;

/** The id of a directory that holds nothing. */
export const EMPTY_DIRECTORY_ID = sha256HexSync("page\n");

/** Whether the map is one page, hashed as a list; a larger one is hashed as its top child and its two sides. */
export function isPage(node: ChildNode): boolean {
  return node.count <= PAGE_CHILDREN;
}

/**
 * The id of all a directory holds: names, kinds and contents, not times. The shape of a child map follows from its names
 * alone, so equal content has an equal id; every node keeps its id, so only what changed is hashed.
 */
export async function directoryId(directory: DirectoryEntry): Promise<string> {
  return entryId(directory, { bytesLeft: BREATH_BYTES });
}

interface Breath {
  bytesLeft: number;
}

async function entryId(entry: TreeEntry, breath: Breath): Promise<string> {
  if (entry.kind === "file") {
    breath.bytesLeft -= entry.sizeBytes + FILE_COST_BYTES;
    return entry.hash;
  }
  return entry.children === undefined ? EMPTY_DIRECTORY_ID : (entry.children.id ?? mapId(entry.children, breath));
}

async function mapId(node: ChildNode, breath: Breath): Promise<string> {
  if (node.id !== undefined) return node.id;
  const text = isPage(node) ? await pageText(node, breath) : await splitText(node, breath);
  breath.bytesLeft -= text.length;
  if (breath.bytesLeft < 0) {
    breath.bytesLeft = BREATH_BYTES;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return (node.id = sha256HexSync(text));
}

async function pageText(page: ChildNode, breath: Breath): Promise<string> {
  const lines: string[] = [];
  for (const child of childNodes(page)) lines.push(await lineText(child, breath));
  return pageIdText(lines);
}

async function splitText(node: ChildNode, breath: Breath): Promise<string> {
  const left = node.left === undefined ? "" : await mapId(node.left, breath);
  const line = await lineText(node, breath);
  const right = node.right === undefined ? "" : await mapId(node.right, breath);
  return splitIdText(left, line, right);
}

async function lineText({ entry, name }: ChildNode, breath: Breath): Promise<string> {
  return idLine(entry.kind, name, await entryId(entry, breath));
}

/** What is hashed of a page. */
export function pageIdText(lines: readonly string[]): string {
  return `page\n${lines.join("")}`;
}

/** What is hashed of a larger map: the ids of both its sides and the child between them. */
export function splitIdText(left: string, line: string, right: string): string {
  return `split\n${left}\n${line}${right}\n`;
}

/** One child; a name holds no NUL and the id has a fixed length, so no two lists of children have one text. */
export function idLine(kind: TreeEntry["kind"], name: string, id: string): string {
  return `${kind}\0${name}\0${id}\n`;
}
