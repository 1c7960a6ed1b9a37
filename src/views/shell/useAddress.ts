import { useEffect } from "react";
import type { Workbench } from "../../store";

/** Loaded beside the project: it is there when the first one is. */
const followAddressLoading = import("./followAddress");

/** The address says what is shown, and what it says is shown. */
export function useAddress(workbench: Workbench): void {
  useEffect(() => {
    const over = new AbortController();
    void followWhenLoaded(workbench, over.signal);
    return () => over.abort();
  }, [workbench]);
}

async function followWhenLoaded(workbench: Workbench, over: AbortSignal): Promise<void> {
  const { followAddress } = await followAddressLoading;
  if (!over.aborted) over.addEventListener("abort", followAddress(workbench));
}
