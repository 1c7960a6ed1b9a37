import { useEffect } from "react";
import type { Workbench } from "../../store";

/** Loaded beside the project: it is there when the first one is. */
const followAddressLoading = import("./followAddress");

/** The address says what is shown, and what it says is shown. */
export function useAddress(workbench: Workbench): void {
  useEffect(() => {
    let isOver = false;
    let stop: (() => void) | undefined;
    void followAddressLoading.then(({ followAddress }) => {
      if (!isOver) stop = followAddress(workbench);
    });
    return () => {
      isOver = true;
      stop?.();
    };
  }, [workbench]);
}
