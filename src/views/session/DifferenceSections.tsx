import type { FileDifference } from "../../store";
import { DiffLines } from "../widgets/DiffLines";
import { CallSection } from "./CallSection";

/** What a call changed, a part for each file. */
export function DifferenceSections({ differences }: { readonly differences: readonly FileDifference[] }) {
  return differences.map((difference) => (
    <CallSection
      key={difference.path}
      title={
        <>
          {difference.kind} <span className="mono">{difference.path}</span>{" "}
          {difference.reason === undefined ? (
            <>
              <span className="lines-added">{`+${difference.linesAdded}`}</span>{" "}
              <span className="lines-removed">{`−${difference.linesRemoved}`}</span>
            </>
          ) : null}
        </>
      }
    >
      {difference.reason === undefined ? (
        <div className="difference">
          <DiffLines lines={difference.lines} context={3} />
        </div>
      ) : (
        <p className="dim small">{difference.reason}</p>
      )}
    </CallSection>
  ));
}
