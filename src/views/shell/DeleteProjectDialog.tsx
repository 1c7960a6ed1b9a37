import { useStore } from "zustand";
import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";
import { useWorkbench } from "../workbenchContext";
import { useExportProject } from "./useExportProject";

/** Asks before the project goes, and offers to keep a file of it. */
export function DeleteProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const { project } = useWorkbench();
  const name = useStore(project, (state) => state.name);
  const exportProject = useExportProject();
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete the project “${name}”`}
      description="Its files and sessions are deleted in this browser. A file of it can be imported again, here or elsewhere."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => void exportProject()}>Export first</Button>
          <Button
            variant="danger"
            onClick={() => {
              onClose();
              void project.getState().deleteProject();
            }}
          >
            Delete
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
