import { limits } from "../../base";
import { OutputKeeper } from "../outputKeeper";

/** Characters encoded at once: the whole may be 100 MB. */
const SLICE = 1_048_576;

export interface ShellOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly totalBytes: number;
  readonly isTruncated: boolean;
  /** All of it, errors after the rest. */
  whole(): Promise<Uint8Array>;
}

/** Head and tail of what a command printed; errors get what output leaves, and a quarter at least. */
export function keptOutput(stdout: string, stderr: string): ShellOutput {
  const errorShare = Math.max(limits.shellOutputBytes / 4, limits.shellOutputBytes - stdout.length * 3);
  const errors = kept(stderr, errorShare);
  const output = kept(stdout, limits.shellOutputBytes - Math.min(errors.totalBytes, errorShare));
  const isTruncated = output.isTruncated || errors.isTruncated;
  return {
    stdout: output.text(),
    stderr: errors.text(),
    totalBytes: output.totalBytes + errors.totalBytes,
    isTruncated,
    whole: async () => {
      const parts = [await output.whole(), await errors.whole()] as Uint8Array<ArrayBuffer>[];
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    },
  };
}

function kept(text: string, keptBytes: number): OutputKeeper {
  const keeper = new OutputKeeper({ keptBytes });
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + SLICE);
    // A character of two units stays whole.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    keeper.push(encoder.encode(text.slice(at, end)));
    at = end;
  }
  return keeper;
}
