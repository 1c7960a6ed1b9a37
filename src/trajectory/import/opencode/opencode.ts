import type { TrajectoryFormat } from "../format";
import { field, filledText, parsedJson } from "../jsonAccess";
import { isRunEvent, OpencodeRun } from "./opencodeRun";
import { writeOpencodeSessions } from "./opencodeSession";
import { isExport, isStorage, sessionFromExport, sessionsFromStorage, type OpencodeSession } from "./opencodeStorage";

/** Enough for the first lines. */
const HEAD_BYTES = 64 * 1_024;

/** Sessions of opencode: an export of one, the folder all are kept in, or what a run prints. */
export const opencode: TrajectoryFormat = {
  name: "opencode",
  acrossFiles: true,
  detect(probe) {
    if (probe.kind === "entries") return isStorage(probe.paths) ? 85 : 0;
    if (probe.records.some(isRunEvent)) return 85;
    if (probe.records.length > 0) return probe.records.length === 1 && isExport(probe.records[0]) ? 85 : 0;
    // A document that was cut off is known by how it begins.
    return /^\s*\{\s*"info"\s*:\s*\{/.test(probe.head) && /"(sessionID|directory|projectID)"\s*:/.test(probe.head)
      ? 75
      : 0;
  },
  async read(input, out) {
    if (isStorage(input.files.map(({ path }) => path))) {
      return writeOpencodeSessions(await sessionsFromStorage(input, out), out);
    }
    const sessions: OpencodeSession[] = [];
    for (const file of input.files) {
      input.progress();
      const head = await (await file.open()).slice(0, HEAD_BYTES).text();
      if (head.split("\n", 50).some((line) => isRunEvent(parsedJson(line)))) {
        const run = new OpencodeRun();
        for await (const event of input.records(file)) run.add(event);
        sessions.push(...run.sessions());
        continue;
      }
      const document = await input.document(file);
      if (document === undefined) continue;
      const session = sessionFromExport(document, file.path);
      const id = filledText(field(session.info.value, "id"));
      sessions.push(id === undefined ? session : { ...session, key: id });
    }
    writeOpencodeSessions(sessions, out);
  },
};
