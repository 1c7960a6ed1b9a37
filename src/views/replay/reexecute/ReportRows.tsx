import { useEffect, useRef, type KeyboardEvent } from "react";
import type { ReexecutedCall } from "../../../trajectory";
import { countText } from "../../widgets/byteText";
import { rowByKey } from "../../widgets/rowByKey";
import { Tag } from "../../widgets/Tag";
import { VirtualList, type VirtualListHandle } from "../../widgets/VirtualList";
import { classLooks } from "./classLooks";

const ROW_HEIGHT = 28;

export interface ReportRowsProps {
  readonly calls: readonly ReexecutedCall[];
  readonly chosen: number;
  readonly onChoose: (number: number) => void;
  /** Goes to a row's event; absent where the events are not here. */
  readonly onGoTo?: (eventIndex: number) => void;
}

/** Every call of a report: arrows and j k choose one, Enter goes to its event. */
export function ReportRows({ calls, chosen, onChoose, onGoTo }: ReportRowsProps) {
  const list = useRef<VirtualListHandle>(null);
  const current = calls.findIndex(({ number }) => number === chosen);
  useEffect(() => {
    if (current >= 0) list.current?.showRow(current);
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const next = rowByKey(event.key, current, calls.length);
    const row = calls[next ?? -1];
    if (row !== undefined) onChoose(row.number);
    else if (event.key === "Enter" && calls[current] !== undefined) onGoTo?.(calls[current].eventIndex);
    else return;
    event.preventDefault();
  };
  if (calls.length === 0) return <p className="report-rows dim reexecute-note">No call is of this class.</p>;
  return (
    <VirtualList
      ref={list}
      className="report-rows"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no rows of several parts
      role="listbox"
      aria-label="Calls"
      tabIndex={0}
      aria-activedescendant={current >= 0 ? `report-call-${chosen}` : undefined}
      count={calls.length}
      rowHeight={ROW_HEIGHT}
      rowKey={(index) => String(calls[index]?.number ?? index)}
      onKeyDown={onKeyDown}
    >
      {(index) => {
        const call = calls[index];
        return call === undefined ? null : (
          <Row call={call} isChosen={call.number === chosen} onChoose={onChoose} onGoTo={onGoTo} />
        );
      }}
    </VirtualList>
  );
}

interface RowProps {
  readonly call: ReexecutedCall;
  readonly isChosen: boolean;
  readonly onChoose: (number: number) => void;
  readonly onGoTo: ((eventIndex: number) => void) | undefined;
}

function Row({ call, isChosen, onChoose, onGoTo }: RowProps) {
  const { number, toolName, ranAs, subject, followsFrom, files = [] } = call;
  const otherFiles = files.filter((file) => file.class !== "equal").length;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list takes the keys
    <div
      id={`report-call-${number}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- nor has an option
      role="option"
      aria-selected={isChosen}
      className="report-row"
      onClick={() => onChoose(number)}
      onDoubleClick={() => onGoTo?.(call.eventIndex)}
    >
      <span className="report-number dim numeric">{`#${number}`}</span>
      <Tag tone={classLooks[call.class].tone}>{call.class}</Tag>
      <span className="report-tool">{toolName}</span>
      {ranAs === undefined || ranAs === toolName ? null : <span className="dim small">{`as ${ranAs}`}</span>}
      <span className="mono truncate">{subject}</span>
      {otherFiles === 0 ? null : <span className="bad small">{countText(otherFiles, "file")}</span>}
      {followsFrom === undefined ? null : (
        <span className="dim small push-right">{`follows from #${followsFrom}`}</span>
      )}
    </div>
  );
}
