import { makeRoom, QuotaError, type ProjectDatabase } from "../fs";

/** Writes, and once more when there was no room and what nothing needs gave some back. @throws what the write throws */
export async function withRoomMade<T>(database: ProjectDatabase, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof QuotaError) || !(await makeRoom(database))) throw error;
    return await write();
  }
}
