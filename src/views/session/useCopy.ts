import { useState } from "react";
import { useWorkbench } from "../workbenchContext";

/** Milliseconds the button says that it copied. */
const SAID_MS = 1_500;

/** Copies a text and says so for a moment; where the browser refuses, a notice says that. */
export function useCopy(): { readonly copied: boolean; readonly copy: (text: string) => void } {
  const { notices } = useWorkbench();
  const [copied, setCopied] = useState(false);
  return {
    copied,
    copy(text) {
      void (async () => {
        try {
          await navigator.clipboard.writeText(text);
        } catch {
          notices.getState().push({
            tone: "bad",
            text: "The browser did not let the page copy. Select the text and copy it by hand.",
          });
          return;
        }
        setCopied(true);
        setTimeout(() => setCopied(false), SAID_MS);
      })();
    },
  };
}
