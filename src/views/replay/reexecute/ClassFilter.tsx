import type { DivergenceReport, ResultClass } from "../../../trajectory";
import { SegmentedControl } from "../../widgets/SegmentedControl";
import { shownClasses } from "./classLooks";

export interface ClassFilterProps {
  readonly report: DivergenceReport;
  readonly value: ResultClass | "all";
  readonly onChange: (value: ResultClass | "all") => void;
}

/** How many calls came to each class; one of them can be shown alone. */
export function ClassFilter({ report, value, onChange }: ClassFilterProps) {
  const segments = [
    { value: "all" as const, label: `all ${report.calls.length}` },
    ...shownClasses
      .filter((name) => report.counts[name] > 0)
      .map((name) => ({ value: name, label: `${name} ${report.counts[name]}` })),
  ];
  return (
    <div className="report-filter">
      <SegmentedControl
        label="Calls that are shown"
        segments={segments}
        value={value}
        onChange={onChange}
        size="small"
      />
    </div>
  );
}
