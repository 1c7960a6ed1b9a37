import { lazy, Suspense, useEffect } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../workbenchContext";
import { useShell } from "./shellContext";

const loadPalette = () => import("./Palette").then((module) => ({ default: module.Palette }));
const loadFindDialog = () => import("./FindDialog").then((module) => ({ default: module.FindDialog }));
const Palette = lazy(loadPalette);
const FindDialog = lazy(loadFindDialog);
const ShortcutsDialog = lazy(() => import("./ShortcutsDialog").then((module) => ({ default: module.ShortcutsDialog })));
const DeleteProjectDialog = lazy(() =>
  import("./DeleteProjectDialog").then((module) => ({ default: module.DeleteProjectDialog })),
);
const NameDialog = lazy(() => import("./NameDialog").then((module) => ({ default: module.NameDialog })));

/** Milliseconds after which what a person types into at once is loaded, asked for or not: the page itself comes first. */
const SOON_MS = 1_500;

/** What lies over the page; each part is loaded when it is first asked for, what has keys of its own before. */
export function Overlays() {
  const { overlay, show } = useShell();
  useEffect(() => {
    // What is typed while it loads would go to the page below. What fails to load says so when it is asked for.
    const load = () => void Promise.allSettled([loadPalette(), loadFindDialog()]);
    const timer = setTimeout(load, SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = () => show(undefined);
  return (
    <Suspense fallback={null}>
      {overlay === "commands" || overlay === "files" ? <Palette key={overlay} kind={overlay} onClose={close} /> : null}
      {overlay === "find" ? <FindDialog onClose={close} /> : null}
      {overlay === "shortcuts" ? <ShortcutsDialog onClose={close} /> : null}
      {overlay === "delete-project" ? <DeleteProjectDialog onClose={close} /> : null}
      {overlay === "new-project" || overlay === "rename-project" ? (
        <ProjectNameDialog kind={overlay} onClose={close} />
      ) : null}
    </Suspense>
  );
}

function ProjectNameDialog({
  kind,
  onClose,
}: {
  readonly kind: "new-project" | "rename-project";
  readonly onClose: () => void;
}) {
  const { project } = useWorkbench();
  const name = useStore(project, (state) => state.name);
  const isNew = kind === "new-project";
  return (
    <NameDialog
      title={isNew ? "New project" : "Rename the project"}
      label="Name"
      name={isNew ? "New project" : name}
      confirmLabel={isNew ? "Create" : "Rename"}
      onConfirm={(next) => void (isNew ? project.getState().createProject(next) : project.getState().rename(next))}
      onClose={onClose}
    />
  );
}
