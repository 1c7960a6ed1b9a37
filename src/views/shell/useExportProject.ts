import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";

/** Saves the open project to a file of the person's; what fails is told. */
export function useExportProject(): () => Promise<void> {
  const { exportProject } = useWorkbench();
  return async () => {
    const file = await exportProject();
    if (file) saveFile(file.name, file.contents);
  };
}
