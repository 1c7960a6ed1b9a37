import { gzipSync } from "fflate";
import { expect, test } from "vitest";
import { tarEntries } from "./tarEntries";

/** A tar of one file `a`. */
function tarOf(text: string): Uint8Array<ArrayBuffer> {
  const contents = new TextEncoder().encode(text);
  const bytes = new Uint8Array(512 + Math.ceil(contents.length / 512) * 512 + 1024);
  const put = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
  put(0, "a");
  put(124, contents.length.toString(8).padStart(11, "0"));
  put(148, "        ");
  put(156, "0");
  put(
    148,
    bytes
      .subarray(0, 512)
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0") + "\0 ",
  );
  bytes.set(contents, 512);
  return bytes;
}

async function textOf(archive: Blob): Promise<string> {
  for await (const entry of tarEntries(archive)) {
    if (entry.kind === "file") return new TextDecoder().decode(await entry.bytes());
  }
  return "";
}

test("the browser's own gzip gives a tar's contents, and those of several members", async () => {
  const text = "hello ".repeat(50_000);
  const tar = tarOf(text);
  const packed = (part: Uint8Array) => gzipSync(part);
  expect(await textOf(new Blob([packed(tar)]))).toBe(text);
  expect(await textOf(new Blob([packed(tar.subarray(0, 5_000)), packed(tar.subarray(5_000))]))).toBe(text);
});
