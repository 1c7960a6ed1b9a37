import type { DiscoveryFault } from "../../base";

export interface FieldNotesProps {
  readonly id?: string;
  readonly faults: readonly DiscoveryFault[];
  readonly tone?: "bad" | "warn";
  /** Each says its field too: where they do not stand at it. */
  readonly withField?: boolean;
}

/** What is wrong with a field, and the way out. */
export function FieldNotes({ id, faults, tone = "bad", withField = false }: FieldNotesProps) {
  if (faults.length === 0) return null;
  return (
    <ul id={id} className={`agent-notes small ${tone}`} aria-live="polite">
      {faults.map(({ field, problem, mend }) => (
        <li key={`${field} ${problem}`}>
          {withField ? <b>{`${field}: `}</b> : null}
          {`${problem} ${mend}`}
        </li>
      ))}
    </ul>
  );
}
