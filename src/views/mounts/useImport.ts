import type { ImportReport, ImportSource, Notice } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { byteText, countText } from "../widgets/byteText";
import { uploadTarget } from "./uploadTarget";

/** Imports into a directory, or where it fits when none is named, and says how it went. */
export function useImport(): (source: ImportSource | undefined, directory?: string) => Promise<void> {
  const { mounts, notices } = useWorkbench();
  const say = (notice: Omit<Notice, "id">): void => void notices.getState().push(notice);
  return async (source, directory) => {
    if (!source) return undefined;
    const state = mounts.getState();
    const target = directory ?? uploadTarget(state);
    const mount = target === undefined ? undefined : state.mountOf(target);
    if (target === undefined || !mount)
      return say({
        tone: "warn",
        text: "There is no mount to import into. Add one, or drop onto a folder of a mount.",
      });
    if (mount.readOnly)
      return say({ tone: "warn", text: `${mount.prefix} is read-only. Drop onto a folder of another mount.` });
    const report = await state.importInto(target, source);
    if (!report) return say({ tone: "warn", text: "Another import is running. Wait for it, or stop it." });
    state.setExpanded(target, true);
    return say(noticeOf(report, source.label, target));
  };
}

function noticeOf(report: ImportReport, label: string, target: string) {
  const { files, bytes, refused, stopped, failure } = report;
  const done = `${countText(files, "file")} (${byteText(bytes)})`;
  const left = refused.length > 0 ? `, ${countText(refused.length, "entry", "entries")} left out` : "";
  if (failure)
    return {
      tone: "bad" as const,
      text: `The import of ${label} ended early: ${failure}`,
      details: [`Read so far: ${done}. What was stored stays.`, ...refused],
    };
  if (stopped)
    return {
      tone: "warn" as const,
      text: `Stopped importing ${label}: ${done} are in ${target}${left}.`,
      details: refused,
    };
  const text = `Imported ${done} into ${target}${left}.`;
  return refused.length > 0
    ? { tone: "warn" as const, text, details: refused }
    : { tone: "good" as const, text, timeoutMs: 6_000 };
}
