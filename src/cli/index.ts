/**
 * Rootscope in Node: the command line, and a directory of the computer as a tree (`rootscope/node`).
 *
 * - *command*: one word of the command line with its options; *terminal*: where it reads and writes.
 * - *agent folder*: an agent as its author keeps it in files; *opened*: read, checked and put on a tree.
 */
export { nodeFs } from "./nodeFs";
