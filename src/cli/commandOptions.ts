import type { CommandOption } from "./command";

/** Options that several commands take, told in the same words. */
export const agentOption: CommandOption = { value: "DIR", help: "the agent's folder" };
export const asOfOption: CommandOption = {
  value: "INSTANT",
  help: "the instant the session takes for now, ISO-8601 with a zone",
};
export const jsonOption: CommandOption = { help: "prints JSON" };
export const treeOptions = {
  root: { value: "DIR", help: "the directory the agent works in, as /" },
  mount: { value: "/PREFIX=DIR", many: true, help: "a directory at a prefix of the tree; may be given several times" },
} satisfies Readonly<Record<string, CommandOption>>;
