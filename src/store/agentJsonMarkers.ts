import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import type { DiscoveryFault } from "../base";
import type { AgentJsonReport } from "./agentJsonCheck";

/** A stretch of the text that something is said of. */
export interface AgentJsonMarker {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

/** Where in the text each fault is: at the entry of a list, at the field, or, of a field that is missing, at the brace. */
export function agentJsonMarkers(text: string, { problem, faults }: AgentJsonReport): AgentJsonMarker[] {
  if (problem) {
    const start = Math.min(problem.offset, Math.max(0, text.length - 1));
    return [{ start, end: start + 1, words: problem.words }];
  }
  const tree = parseTree(text);
  return faults.map((fault) => ({ ...stretchOf(tree, fault), words: wordsOf(fault) }));
}

function stretchOf(tree: Node | undefined, { field, problem }: DiscoveryFault): { start: number; end: number } {
  const nodes = field.split(" + ").map((name) => tree && nodeOf(tree, name));
  const node = nodes.findLast((each) => each !== undefined);
  if (!node) return { start: tree?.offset ?? 0, end: (tree?.offset ?? 0) + 1 };
  const entry =
    node.type === "array"
      ? node.children?.find((child) => problem.startsWith(`${JSON.stringify(child.value)} `))
      : undefined;
  const { offset, length } = entry ?? node.parent ?? node;
  return { start: offset, end: offset + length };
}

/** An option of the host's runtime stands in its `options`. */
function nodeOf(tree: Node, name: string): Node | undefined {
  const [field = "", option] = name.split(".");
  const inner = option === undefined ? undefined : findNodeAtLocation(tree, [field, "options", option]);
  return inner ?? findNodeAtLocation(tree, [field]);
}

function wordsOf({ field, problem, mend }: DiscoveryFault): string {
  return `${field}: ${problem} ${mend}`;
}
