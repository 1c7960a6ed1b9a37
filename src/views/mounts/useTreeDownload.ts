import { useWorkbench } from "../workbenchContext";
import { saveFile } from "../widgets/saveFile";

/** Hands a file, or a folder as a zip, to the person. */
export function useTreeDownload(): (path: string) => Promise<void> {
  const { mounts } = useWorkbench();
  return async (path) => {
    const file = await mounts.getState().download(path);
    if (file) saveFile(file.name, file.contents);
  };
}
