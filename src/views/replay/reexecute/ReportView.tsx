import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ReexecuteStore, ShownReport } from "../../../store";
import type { DivergenceReport, ResultClass } from "../../../trajectory";
import { Announcement } from "../../session/Announcement";
import { useWorkbench } from "../../workbenchContext";
import { Button } from "../../widgets/Button";
import { saveFile } from "../../widgets/saveFile";
import { CallDetail } from "./CallDetail";
import { ClassFilter } from "./ClassFilter";
import { placeText } from "./classLooks";
import { ReportComparisonView } from "./ReportComparisonView";
import { ReportFile } from "./ReportFile";
import { ReportRows } from "./ReportRows";
import { InferredFiles } from "./StartChoice";
import { startWords } from "./startWords";
import { verdictText } from "./verdictText";

export interface ReportViewProps {
  readonly store: ReexecuteStore;
  readonly shown: ShownReport;
  /** A row's event was gone to. */
  readonly onGoTo: () => void;
}

/** A report: how many calls came to what, the first divergence, and every call with what it came to. */
export function ReportView({ store, shown, onGoTo }: ReportViewProps) {
  const { report } = shown;
  const { replay } = useWorkbench();
  const compared = useStore(store, (state) => state.compared);
  const [wanted, setFilter] = useState<ResultClass | "all">("all");
  // Another report may have no call of the class that was shown last.
  const filter = wanted !== "all" && report.counts[wanted] === 0 ? "all" : wanted;
  const [picked, setChosen] = useState<number>();
  const chosen = picked !== undefined && picked <= report.calls.length ? picked : (report.firstDivergence ?? 1);
  const calls = useMemo(
    () => (filter === "all" ? report.calls : report.calls.filter((call) => call.class === filter)),
    [report, filter],
  );
  const call = report.calls.find(({ number }) => number === chosen);
  const goTo = shown.isOfSession
    ? (eventIndex: number) => {
        replay.getState().jumpTo(eventIndex);
        onGoTo();
      }
    : undefined;
  return (
    <div className="report">
      <ReportHead store={store} shown={shown} onChoose={setChosen} />
      {compared === undefined ? null : (
        <ReportComparisonView
          name={compared.name}
          comparison={compared.comparison}
          onChoose={setChosen}
          onClose={() => store.getState().endComparison()}
        />
      )}
      <ClassFilter report={report} value={filter} onChange={setFilter} />
      <div className="report-columns">
        <ReportRows calls={calls} chosen={chosen} onChoose={setChosen} {...(goTo ? { onGoTo: goTo } : {})} />
        {call === undefined ? (
          <p className="report-detail dim">Choose a call to see what it came to.</p>
        ) : (
          <CallDetail
            call={call}
            lines={store.getState().linesOf(call)}
            onChoose={setChosen}
            {...(goTo ? { onGoTo: goTo } : {})}
          />
        )}
      </div>
    </div>
  );
}

interface ReportHeadProps {
  readonly store: ReexecuteStore;
  readonly shown: ShownReport;
  readonly onChoose: (number: number) => void;
}

function ReportHead({ store, shown, onChoose }: ReportHeadProps) {
  const { report, name, isOfSession } = shown;
  const { saved, open, compareWith, closeReport } = store.getState();
  const save = () => {
    const file = saved();
    if (file !== undefined) saveFile(file.name, file.contents);
  };
  const first = report.calls.find(({ number }) => number === report.firstDivergence);
  return (
    <header className="report-head">
      <div className="report-words">
        <h3 className="report-title">{verdictText(report)}</h3>
        <Announcement words={verdictText(report)} />
        {first === undefined ? null : (
          <p>
            First divergence:{" "}
            <button type="button" className="link-button" onClick={() => onChoose(first.number)}>
              {`#${first.number} ${first.toolName}`}
            </button>{" "}
            <span className="mono">{placeText(first)}</span>
          </p>
        )}
        <p className="dim small">
          {`${name} · ${startWords[report.start.kind].ran} · tree ${report.start.rootHash.slice(0, 12)} · ${outcomeText(report)}`}
          {isOfSession ? null : " · of another session: its events are not here"}
        </p>
        {report.start.inferred === undefined || report.start.inferred.length === 0 ? null : (
          <InferredFiles files={report.start.inferred} />
        )}
      </div>
      <div className="report-buttons">
        <Button size="small" variant="primary" onClick={save}>
          Save report
        </Button>
        <ReportFile label="Compare with a report…" onFile={(file) => void compareWith(file)} />
        <ReportFile label="Open a report…" onFile={(file) => void open(file)} />
        <Button size="small" onClick={closeReport}>
          Other choices
        </Button>
      </div>
    </header>
  );
}

const POLICY_WORDS = {
  recorded: "recorded results went on",
  real: "real results went on",
  stop: "to the first divergence",
} as const;

function outcomeText({ outcome, policy }: DivergenceReport): string {
  if (outcome === "cancelled") return "stopped by you before its end";
  return outcome === "stopped" ? "stopped at the first divergence" : POLICY_WORDS[policy];
}
