import { inlineSearch } from "../search/inlineSearch";
import type { TreeEngine } from "../treeEngine";
import { inlineGrep } from "./inlineGrep";

/** Searches without workers, on the calling thread: Node, small trees, and wherever no worker engine was given. */
export const inlineEngine: TreeEngine = { grep: inlineGrep, search: inlineSearch };
