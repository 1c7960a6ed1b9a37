import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { Announcement } from "../session/Announcement";
import { useStopKey } from "../session/useStopKey";
import { useWorkbench } from "../workbenchContext";
import { ArmHead } from "./ArmHead";
import { CallLines } from "./CallLines";
import { CompareBar } from "./CompareBar";
import { CompareNotes } from "./CompareNotes";
import { FinalFiles } from "./FinalFiles";
import { MetricsTable } from "./MetricsTable";
import { SummaryLine } from "./SummaryLine";
import { WhatWasSeen } from "./WhatWasSeen";
import "../session/session.css";
import "./compare.css";

/** Two instruction texts on the same prompts and forks of one tree, side by side. */
export function CompareScreen() {
  const { compare } = useWorkbench();
  const [withWords, setWithWords] = useState(false);
  useEffect(() => void compare.getState().open(), [compare]);
  useStopKey(
    () => compare.getState().status === "running",
    () => compare.getState().stop(),
  );
  return (
    <div className="compare">
      <div>
        <CompareBar withWords={withWords} onWithWords={setWithWords} />
        <CompareNotes />
      </div>
      <div className="compare-arms">
        <ArmHead side="a" />
        <ArmHead side="b" />
        <CallLines withWords={withWords} />
      </div>
      <SummaryLine />
      <div className="compare-reading" id="compare-reading">
        <WhatWasSeen />
        <MetricsTable />
        <FinalFiles />
      </div>
      <RunAnnouncement />
    </div>
  );
}

function RunAnnouncement() {
  const { compare } = useWorkbench();
  const status = useStore(compare, (state) => state.status);
  const hasRun = useStore(compare, (state) => state.record !== undefined);
  return (
    <Announcement words={status === "running" ? "The comparison runs." : hasRun ? "The comparison is at rest." : ""} />
  );
}
