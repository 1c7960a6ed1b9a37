import { DamagedRecordError, type ProjectDatabase } from "../fs";

/** A content by its hash; `undefined` when it is lost, or what is stored of it is damaged. @throws UnavailableError */
export async function readableContent({ contents }: ProjectDatabase, hash: string): Promise<Uint8Array | undefined> {
  try {
    return await contents.get(hash);
  } catch (error) {
    if (error instanceof DamagedRecordError) return undefined;
    throw error;
  }
}
