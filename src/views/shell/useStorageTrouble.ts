import { useEffect, useEffectEvent } from "react";
import { useStore } from "zustand";
import type { Notice, ProjectState } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { useExportProject } from "./useExportProject";

type TroubleKind = NonNullable<ProjectState["trouble"]>["kind"];

/** What a person can do about it. */
const WAYS_OUT: Readonly<Record<TroubleKind, Pick<Notice, "tone" | "details">>> = {
  cleared: {
    tone: "bad",
    details: ["What this page still holds is shown and can be exported: after a reload it is gone."],
  },
  deleted: {
    tone: "bad",
    details: [
      "What this page shows of it is gone after a reload, which opens another project. Nothing runs here any more.",
    ],
  },
  newer: { tone: "warn", details: ["Reload the page to work with the newer version."] },
  damaged: { tone: "bad", details: ["An exported project can be imported again, and is whole then."] },
};

/** Says, once, what keeps the project from being saved or what of it is damaged, with the way out. */
export function useStorageTrouble(): void {
  const { project, notices } = useWorkbench();
  const trouble = useStore(project, (state) => state.trouble);
  const damage = useStore(project, (state) => state.settingsDamage);
  const exportProject = useExportProject();
  const tell = useEffectEvent((notice: Omit<Notice, "id" | "action">, isReload = false) => {
    const action = isReload
      ? { label: "Reload", run: () => location.reload() }
      : { label: "Export the project", run: () => void exportProject() };
    notices.getState().push({ ...notice, action });
  });
  useEffect(() => {
    if (trouble === undefined) return;
    const isReload = trouble.kind === "newer" || trouble.kind === "deleted";
    tell({ text: trouble.reason, ...WAYS_OUT[trouble.kind] }, isReload);
  }, [trouble]);
  useEffect(() => {
    if (damage === undefined) return;
    const details = [
      "Every disk of the project is mounted under its own name; instructions and model begin anew.",
      "The damaged record is kept.",
    ];
    tell({ tone: "bad", text: damage, details });
  }, [damage]);
}
