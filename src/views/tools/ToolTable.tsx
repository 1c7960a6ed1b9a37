import { useRef, useState } from "react";
import { useStore } from "zustand";
import type { ToolRow, ToolsPanel } from "../../store";
import { useKeyDown } from "../session/useKeyDown";
import { rowByKey } from "../widgets/rowByKey";
import { ToolTableRow } from "./ToolTableRow";

export interface ToolTableProps {
  readonly rows: readonly ToolRow[];
  readonly tries: ToolsPanel["tries"];
  readonly isOnHost: boolean;
}

/** One row a tool: walked with j and k, opened with Enter, tried with t. */
export function ToolTable({ rows, tries, isOnHost }: ToolTableProps) {
  const list = useRef<HTMLUListElement>(null);
  const openNames = useStore(tries, (state) => state.openNames);
  const [activeName, setActiveName] = useState<string>();
  const isThere = rows.some(({ toolName }) => toolName === activeName);
  useKeyDown(list, (event) => {
    const name = event.target instanceof HTMLElement ? event.target.dataset["row"] : undefined;
    if (name === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    const index = rows.findIndex(({ toolName }) => toolName === name);
    if (event.key === "t" && rows[index]?.kind === "offered") {
      event.preventDefault();
      tries.getState().setOpen(name, true);
      // The form is there with the next paint.
      requestAnimationFrame(() => focusForm(list.current, name));
      return;
    }
    const next = rows[rowByKey(event.key, index, rows.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    const head = headOf(list.current, next.toolName);
    head?.focus({ preventScroll: true });
    head?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div
      onFocus={(event) => {
        const name = event.target.dataset["row"];
        if (name !== undefined) setActiveName(name);
      }}
    >
      <div className="tool-head small dim" aria-hidden="true">
        <span />
        <span>Tool</span>
        <span className="tool-owner">From</span>
        <span className="tool-effect">Does</span>
        <span className="truncate">What for, or why not</span>
      </div>
      <ul ref={list} className="tool-table" aria-label="Tools">
        {rows.map((row, index) => (
          <ToolTableRow
            key={row.toolName}
            row={row}
            tries={tries}
            isOnHost={isOnHost}
            isOpen={openNames.has(row.toolName)}
            tabIndex={row.toolName === activeName || (!isThere && index === 0) ? 0 : -1}
          />
        ))}
      </ul>
    </div>
  );
}

function headOf(list: HTMLElement | null, name: string): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(name)}"]`);
}

function focusForm(list: HTMLElement | null, name: string): void {
  const form = headOf(list, name)?.closest("li")?.querySelector("form");
  form?.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
}
