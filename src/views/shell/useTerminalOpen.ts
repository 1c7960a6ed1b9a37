import { useCallback, useState } from "react";
import { browserMemory } from "../widgets/browserMemory";

const KEY = "terminal";

/** Whether the terminal is open: remembered for this browser. */
export function useTerminalOpen(): readonly [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(() => browserMemory.get(KEY) === "open");
  const set = useCallback((next: boolean) => {
    browserMemory.set(KEY, next ? "open" : "closed");
    setIsOpen(next);
  }, []);
  return [isOpen, set];
}
