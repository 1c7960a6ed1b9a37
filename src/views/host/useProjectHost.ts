import { useEffect, useState } from "react";
import type { ProjectHost } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** The project's host once it is loaded. */
export function useProjectHost(): ProjectHost | undefined {
  const workbench = useWorkbench();
  const [host, setHost] = useState<ProjectHost>();
  useEffect(() => {
    let current = true;
    void workbench.host().then((opened) => current && setHost(opened));
    return () => {
      current = false;
    };
  }, [workbench]);
  return host;
}
