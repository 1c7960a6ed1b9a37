import { memo } from "react";
import { callName, type OfferedRow, type ToolRow, type ToolsPanel } from "../../store";
import { Tag } from "../widgets/Tag";
import { ToolDetails } from "./ToolDetails";

export interface ToolTableRowProps {
  readonly row: ToolRow;
  readonly tries: ToolsPanel["tries"];
  /** Whether the agent's files are the host's disk, and not the mounts. */
  readonly isOnHost: boolean;
  readonly isOpen: boolean;
  readonly tabIndex: 0 | -1;
}

const OWNER_WORDS: { readonly [Owner in OfferedRow["owner"]]: string } = {
  tree: "mounts",
  harness: "built in",
  connection: "server",
  author: "author",
};

const EFFECT_WORDS: { readonly [Effect in OfferedRow["effect"]]: string } = {
  read: "reads",
  write: "writes",
  always: "always",
};

export const ToolTableRow = memo(function ToolTableRow({ row, tries, isOnHost, isOpen, tabIndex }: ToolTableRowProps) {
  const isOffered = row.kind === "offered";
  return (
    <li className={isOffered ? "tool-row" : "tool-row tool-refused"}>
      <button
        type="button"
        className="tool-line"
        aria-expanded={isOpen}
        data-row={row.toolName}
        tabIndex={tabIndex}
        onClick={() => tries.getState().setOpen(row.toolName, !isOpen)}
      >
        <span className={isOffered ? "call-sign ok" : "call-sign"}>
          <span aria-hidden="true">{isOffered ? "✓" : "✕"}</span>
          <span className="visually-hidden">{isOffered ? "offered" : "refused"}</span>
        </span>
        <span className="tool-name truncate" title={row.toolName}>
          {callName(row)}
        </span>
        <span className="tool-owner">{isOffered ? ownerWords(row, isOnHost) : ""}</span>
        <span className="tool-effect">
          {isOffered ? EFFECT_WORDS[row.effect] : ""}
          {isOffered && row.asksFirst ? <Tag tone="warn">asks</Tag> : null}
        </span>
        <span className="tool-summary truncate">{isOffered ? row.summary : row.reason}</span>
      </button>
      {isOpen ? <ToolDetails row={row} tries={tries} /> : null}
    </li>
  );
});

function ownerWords({ owner, toolName }: OfferedRow, isOnHost: boolean): string {
  return isOnHost && (owner === "tree" || toolName === "Shell") ? "host" : OWNER_WORDS[owner];
}
