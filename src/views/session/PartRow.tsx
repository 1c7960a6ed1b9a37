import { useState, type ReactNode } from "react";
import type { RequestPart } from "../../session";
import { LongText } from "./LongText";
import { ownerColor } from "./PartsBar";

export interface PartRowProps {
  readonly part: RequestPart;
  /** What its line says of it. */
  readonly words: ReactNode;
  /** How it came to be there, before its size. */
  readonly sign?: ReactNode;
  readonly size: string;
  readonly startsOpen?: boolean;
  readonly className?: string;
  /** What stands beside its line. */
  readonly children?: ReactNode;
}

/** One part of a request: a line that opens to its text. */
export function PartRow({ part, words, sign, size, startsOpen = false, className = "", children }: PartRowProps) {
  const [open, setOpen] = useState(startsOpen);
  return (
    <div className={`saw-part ${className}`}>
      <button type="button" className="saw-part-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="mount-square" style={{ background: ownerColor(part.owner) }} aria-hidden="true" />
        <span className="truncate">{words}</span>
        {sign ?? <span />}
        <span className="dim numeric">{size}</span>
      </button>
      {children}
      {open ? (
        <div className="saw-text">
          <LongText text={part.text} />
        </div>
      ) : null}
    </div>
  );
}
