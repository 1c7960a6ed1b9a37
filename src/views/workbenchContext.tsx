import { createContext, use } from "react";
import type { Workbench } from "../store";

const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export const WorkbenchProvider = WorkbenchContext.Provider;

/** The stores of the open project. */
export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext);
  if (!workbench) throw new Error("useWorkbench is called outside the workbench.");
  return workbench;
}
