import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { messageFromError } from "../../store";
import { useWorkbench } from "../workbenchContext";

export interface TreeLoad<Value> {
  /** What was loaded last; absent before the first. */
  readonly value?: Value;
  /** Why it is not what the mounts hold now. */
  readonly problem?: string;
}

/** While files change, what is made of them is loaded again after a pause this long. */
const PAUSE_MS = 250;

/** What `load` makes of the mounts, again whenever they change or it is another function; nothing while it is absent. */
export function useTreeLoad<Value>(load: (() => Promise<Value>) | undefined): TreeLoad<Value> {
  const { mounts } = useWorkbench();
  const snapshot = useStore(mounts, (state) => state.snapshot);
  const [loaded, setLoaded] = useState<TreeLoad<Value>>({});
  useEffect(() => {
    if (!load) return undefined;
    let current = true;
    const loadNow = async () => {
      try {
        const value = await load();
        if (current) setLoaded({ value });
      } catch (error) {
        if (current) setLoaded((before) => ({ ...before, problem: messageFromError(error) }));
      }
    };
    const timer = setTimeout(() => void loadNow(), PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `snapshot` moves when what is loaded would differ
  }, [load, snapshot]);
  return loaded;
}
