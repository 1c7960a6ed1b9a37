import { sha256 } from "@noble/hashes/sha2.js";
import { hexFromBytes, limits, sha256Hex } from "../../base";
import { blobChunks } from "./blobChunks";

/** SHA-256 of a file of any size. */
export async function sha256HexOfBlob(blob: Blob): Promise<string> {
  if (blob.size <= limits.importHashedBytes) return await sha256Hex(new Uint8Array(await blob.arrayBuffer()));
  const hash = sha256.create();
  for await (const chunk of blobChunks(blob)) hash.update(chunk);
  return hexFromBytes(hash.digest());
}
