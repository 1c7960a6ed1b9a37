export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

export interface DiffLinesProps {
  readonly lines: readonly DiffLine[];
  /** Shows line numbers: removed lines count in the old text, the others in the new one. */
  readonly numbered?: boolean;
  /** Equal lines kept around a change; further ones fold to one line that says how many. All are kept when absent. */
  readonly context?: number;
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

interface NumberedLine extends DiffLine {
  readonly key: number;
  readonly number: number;
  readonly folded?: number;
}

/** A difference line by line: a sign, a colour, the text. */
export function DiffLines({ lines, numbered = false, context }: DiffLinesProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a region that scrolls must be reachable by key
    <div className="diff mono scroll" role="group" aria-label="Difference" tabIndex={0}>
      {visibleLines(lines, context).map((line) =>
        line.folded ? (
          <div key={line.key} className="diff-fold">
            {`⋯ ${line.folded} unchanged ${line.folded === 1 ? "line" : "lines"}`}
          </div>
        ) : (
          <div key={line.key} className={`diff-line diff-${line.kind}`}>
            {numbered ? (
              <span className="diff-number" aria-hidden="true">
                {line.number}
              </span>
            ) : null}
            <span className="diff-sign">{SIGNS[line.kind]}</span>
            <span>{line.text}</span>
          </div>
        ),
      )}
    </div>
  );
}

function visibleLines(lines: readonly DiffLine[], context: number | undefined): NumberedLine[] {
  let before = 0;
  let after = 0;
  const all = lines.map((line, key): NumberedLine => {
    if (line.kind !== "added") before++;
    if (line.kind !== "removed") after++;
    return { ...line, key, number: line.kind === "removed" ? before : after };
  });
  return context === undefined ? all : foldEqual(all, context);
}

/** Runs of equal lines farther than `context` from any change become one line. */
function foldEqual(all: readonly NumberedLine[], context: number): NumberedLine[] {
  const near = new Set<number>();
  all.forEach((line, index) => {
    if (line.kind === "same") return;
    for (let other = index - context; other <= index + context; other++) near.add(other);
  });
  const shown: NumberedLine[] = [];
  for (const [index, line] of all.entries()) {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (last?.folded) shown[shown.length - 1] = { ...last, folded: last.folded + 1 };
    else shown.push({ ...line, folded: 1 });
  }
  return shown;
}
