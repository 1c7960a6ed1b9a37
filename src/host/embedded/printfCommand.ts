import { defineCommand } from "just-bash/browser";

/**
 * The package's `printf`, whose escapes are bytes as in any shell: it takes `\377` for a character, which a file would hold as
 * two bytes. Where the arguments have other characters themselves, which is which cannot be told, and it is left as it is.
 */
export const printfCommand = defineCommand("printf", async (args, { origCommand }) => {
  if (origCommand === undefined) return { stdout: "", stderr: "printf: not available\n", exitCode: 1 };
  const isPlain = args.every((arg) => isAscii(arg) && !/\\[uU]/.test(arg));
  const [format = "", ...rest] = args;
  if (!isPlain || format.startsWith("-")) return origCommand([...args]);
  const result = await origCommand([withOctal(format), ...rest]);
  if (isAscii(result.stdout) || !isLatin1(result.stdout)) return result;
  return { ...result, stdoutKind: "bytes", stdoutEncoding: "binary" };
});

/** `\xff` as `\377`: the package makes characters of the former where it can. */
function withOctal(format: string): string {
  return format.replace(/\\(?:\\|x([\da-fA-F]{1,2}))/g, (escape, hex: string | undefined) =>
    hex === undefined ? escape : `\\${Number.parseInt(hex, 16).toString(8).padStart(3, "0")}`,
  );
}

function isAscii(text: string): boolean {
  return isBelow(text, 0x80);
}

function isLatin1(text: string): boolean {
  return isBelow(text, 0x1_00);
}

function isBelow(text: string, bound: number): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= bound) return false;
  return true;
}
