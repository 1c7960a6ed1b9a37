import { logFromFragment } from "../trajectory";
import type { SessionSource } from "./sessionImport";

/** What a link to a session holds, to be imported as a file is; nothing for a link that is broken or too large. Never rejects. */
export async function sessionFromLink(fragment: string): Promise<SessionSource | undefined> {
  const log = await logFromFragment(fragment);
  if (log === undefined) return undefined;
  return { name: "linked session", files: [{ path: "linked.ndjson", blob: new Blob([log]) }] };
}
