import { sha256 } from "@noble/hashes/sha2.js";
import { hexFromBytes, sha256Hex } from "../../base";
import { blobChunks } from "./blobChunks";

/** Bytes up to which a file is hashed at once, which is faster and holds all of it. */
const AT_ONCE_BYTES = 32 * 2 ** 20;

/** SHA-256 of a file of any size. */
export async function sha256HexOfBlob(blob: Blob): Promise<string> {
  if (blob.size <= AT_ONCE_BYTES) return await sha256Hex(new Uint8Array(await blob.arrayBuffer()));
  const hash = sha256.create();
  for await (const chunk of blobChunks(blob)) hash.update(chunk);
  return hexFromBytes(hash.digest());
}
