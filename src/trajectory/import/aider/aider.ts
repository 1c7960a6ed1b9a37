import { probedRecords, type FormatInput, type TrajectoryFormat } from "../format";
import type { FormatFile } from "../importSource";
import type { ImportBuilder } from "../importBuilder";
import { AiderChat, isAiderChat } from "./aiderChat";
import { isAnalytics, readAnalytics } from "./aiderAnalytics";

/** Chats aider keeps as Markdown, one after the other, and its log of what it counts. */
export const aider: TrajectoryFormat = {
  name: "aider",
  detect(probe) {
    if (probe.kind === "text") return isAiderChat(probe.head) ? 80 : 0;
    const records = probedRecords(probe);
    return records.length > 0 && records.every((entry) => isAnalytics(entry)) ? 80 : 0;
  },
  async read(input, out) {
    for (const file of input.files) {
      const head = await (await file.open()).slice(0, 64).text();
      if (head.trimStart().startsWith("{")) await readAnalytics(input, file, out);
      else await readChat(input, file, out);
    }
  },
};

/** Lines are looked at one by one: a file of years is one text and no list of its lines. */
async function readChat(input: FormatInput, file: FormatFile, out: ImportBuilder): Promise<void> {
  const text = await input.text(file);
  const chat = new AiderChat(file.path, {}, out);
  const encoder = new TextEncoder();
  let byte = 0;
  let line = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const content = text.slice(start, end);
    const length = encoder.encode(content).length;
    chat.line(content.replace(/\r$/, ""), { line: ++line, byte, length });
    byte += length + 1;
    start = end + 1;
    if (line % 1_000 === 0) input.progress();
  }
  chat.end();
}
