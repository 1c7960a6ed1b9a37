import { defineCommand } from "just-bash/browser";
import { limits } from "../../base";
import { latin1FromBytes } from "./byteStrings";

/**
 * `yes`, which the package does not have. In a shell without streams it must end by itself: after as much as a reader may
 * want of it.
 */
export const yesCommand = defineCommand("yes", async (args) => {
  const line = latin1FromBytes(new TextEncoder().encode(`${args.length === 0 ? "y" : args.join(" ")}\n`));
  const stdout = line.repeat(Math.ceil(limits.shellEndlessBytes / line.length));
  return { stdout, stderr: "", exitCode: 0, stdoutKind: "bytes", stdoutEncoding: "binary" };
});
