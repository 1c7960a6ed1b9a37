import type { ReportChange, ReportComparison } from "../../../trajectory";
import { Button } from "../../widgets/Button";
import { countText } from "../../widgets/byteText";
import { shownClasses } from "./classLooks";

/** Changes listed; the counts above say how many there are. */
const SHOWN_CHANGES = 200;

export interface ReportComparisonViewProps {
  /** Of the earlier report. */
  readonly name: string;
  readonly comparison: ReportComparison;
  readonly onChoose: (number: number) => void;
  readonly onClose: () => void;
}

/** What the shown report says otherwise than an earlier one. */
export function ReportComparisonView({ name, comparison, onChoose, onClose }: ReportComparisonViewProps) {
  const { changes, counts, isSame } = comparison;
  const moved = shownClasses.filter((each) => counts[each] !== 0);
  return (
    <section className="report-compared" aria-label={`Against ${name}`}>
      <div className="report-detail-head">
        <output>
          <b>
            {isSame ? `Says the same as ${name}` : `${countText(changes.length, "call")} otherwise than in ${name}`}
          </b>
        </output>
        {moved.length === 0 ? null : (
          <span className="dim small">
            {moved.map((each) => `${each} ${counts[each] > 0 ? "+" : "−"}${Math.abs(counts[each])}`).join(" · ")}
          </span>
        )}
        <Button size="small" className="push-right" onClick={onClose}>
          End comparison
        </Button>
      </div>
      {isSame ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
        <ul className="report-changes scroll" tabIndex={0} aria-label="Calls that changed">
          {changes.slice(0, SHOWN_CHANGES).map((change) => (
            <Change key={keyOf(change)} change={change} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </section>
  );
}

function keyOf({ before, after, callId }: ReportChange): string {
  return `${callId} ${before?.number ?? ""} ${after?.number ?? ""}`;
}

function Change({ change, onChoose }: { readonly change: ReportChange; readonly onChoose: (number: number) => void }) {
  const { before, after, toolName, subject } = change;
  const words = `${before?.class ?? "not in it"} → ${after?.class ?? "not in this one"}`;
  return (
    <li className="report-change">
      {after === undefined ? (
        <span>{toolName}</span>
      ) : (
        <button type="button" className="link-button" onClick={() => onChoose(after.number)}>
          {`#${after.number} ${toolName}`}
        </button>
      )}
      <span className="mono truncate">{subject}</span>
      <span className="dim small">{words}</span>
    </li>
  );
}
