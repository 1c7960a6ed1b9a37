import { probedRecords, type TrajectoryFormat } from "../format";
import { field, filledText, list } from "../jsonAccess";
import { probedFile } from "../probe";
import { isRunEvent, OpencodeRun } from "./opencodeRun";
import { writeOpencodeSessions } from "./opencodeSession";
import { isExport, isStorage, sessionFromExport, sessionsFromStorage, type OpencodeSession } from "./opencodeStorage";

/** Sessions of opencode: an export of one, the folder all are kept in, or what a run prints. */
export const opencode: TrajectoryFormat = {
  name: "opencode",
  acrossFiles: true,
  detect(probe) {
    if (probe.kind === "entries") return isStorage(probe.paths) ? 85 : 0;
    const records = probedRecords(probe);
    if (records.some(isRunEvent) || (records.length > 0 && records.every(isExport))) return 85;
    if (records.length > 0) return 0;
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
      if (probedRecords((await probedFile(file, [])).probe).some(isRunEvent)) {
        const run = new OpencodeRun();
        for await (const event of input.records(file)) run.add(event);
        sessions.push(...run.sessions());
        continue;
      }
      const document = await input.document(file);
      if (document === undefined) continue;
      const exports = Array.isArray(document.value)
        ? list(document.value).map((value, index) => ({ value, origin: { ...document.origin, pointer: `/${index}` } }))
        : [document];
      for (const [index, exported] of exports.entries()) {
        const session = sessionFromExport(exported, index === 0 ? file.path : `${file.path}#${index}`);
        const id = filledText(field(session.info.value, "id"));
        sessions.push(id === undefined ? session : { ...session, key: id });
      }
    }
    writeOpencodeSessions(sessions, out);
  },
};
