import { useStore } from "zustand";
import { MountDialog } from "../mounts/MountDialog";
import { ConnectionDialog } from "../tools/ConnectionDialog";
import { useWorkbench } from "../workbenchContext";
import { DeleteProjectDialog } from "./DeleteProjectDialog";
import { NameDialog } from "./NameDialog";
import type { Overlay } from "./shellContext";
import { ShortcutsDialog } from "./ShortcutsDialog";

export interface OtherOverlaysProps {
  readonly overlay: Overlay;
  readonly onClose: () => void;
}

/** The windows that are asked for now and then. */
export function OtherOverlays({ overlay, onClose }: OtherOverlaysProps) {
  switch (overlay) {
    case "shortcuts":
      return <ShortcutsDialog onClose={onClose} />;
    case "delete-project":
      return <DeleteProjectDialog onClose={onClose} />;
    case "new-project":
    case "rename-project":
      return <ProjectNameDialog kind={overlay} onClose={onClose} />;
    case "add-mount":
      return <MountDialog mount={undefined} onClose={onClose} />;
    case "add-server":
      return <ConnectionDialog onClose={onClose} />;
    default:
      return null;
  }
}

interface ProjectNameDialogProps {
  readonly kind: "new-project" | "rename-project";
  readonly onClose: () => void;
}

function ProjectNameDialog({ kind, onClose }: ProjectNameDialogProps) {
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
