import { useStore } from "zustand";
import { compareSentence } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { useShownPair } from "./useShownPair";
import { SeenButtons } from "./WhatWasSeen";

/** On a small screen: what was seen and what can be done with it, held at the lower edge while the calls scroll. */
export function SummaryLine() {
  const pair = useShownPair();
  const files = useStore(useWorkbench().compare, (state) => state.files);
  if (pair === undefined) return null;
  return (
    <div className="summary-line">
      <p className="summary-sentence">{compareSentence(pair, files)}</p>
      <div className="summary-buttons">
        <Button size="small" onClick={() => document.querySelector("#compare-reading")?.scrollIntoView()}>
          Figures
        </Button>
        <SeenButtons pair={pair} />
      </div>
    </div>
  );
}
