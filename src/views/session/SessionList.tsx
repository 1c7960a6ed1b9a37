import { MoreHorizontal } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { SessionRecord } from "../../storage";
import { formatName } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { countText } from "../widgets/byteText";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem, MenuSeparator } from "../widgets/Menu";
import { saveFile } from "../widgets/saveFile";
import { SegmentedControl } from "../widgets/SegmentedControl";
import { focusOnMount } from "./focusOnMount";
import { ImportFoot } from "./ImportFoot";
import { groupedSessions, usefulFilters, type SessionFilter } from "./sessionGroups";
import { useSessionState } from "./useSessionState";

export interface SessionListProps {
  readonly currentId: string | undefined;
  readonly onChoose: (sessionId: string) => void;
  /** Absent where no session can be begun. */
  readonly onNew?: () => void;
  /** Told of a session that was read from a file. */
  readonly onImported?: ((sessionId: string) => void) | undefined;
  /** Where the ways to import stand elsewhere. */
  readonly hasOwnImport?: boolean;
}

/** The sessions of the project: found by words, chosen, named, saved to a file, deleted; and read from a file. */
export function SessionList(props: SessionListProps) {
  const { currentId, onChoose, onNew, onImported, hasOwnImport = false } = props;
  const sessions = useSessionState((state) => state.sessions);
  const [words, setWords] = useState("");
  const [filter, setFilter] = useState<SessionFilter>("all");
  const list = useRef<HTMLDivElement>(null);
  const filters = usefulFilters(sessions);
  const { own, files, comparisons } = groupedSessions(
    sessions.filter((record) => matches(record, words)),
    filters.includes(filter) ? filter : "all",
  );
  const row = (record: SessionRecord) => (
    <SessionListRow
      key={record.id}
      record={record}
      current={record.id === currentId}
      onChoose={() => onChoose(record.id)}
    />
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(".session-list-open") ?? [])];
    const next =
      rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(document.activeElement as HTMLElement) + step))];
    next?.focus();
  };
  return (
    <div className="session-list" onKeyDown={onKeyDown} role="presentation">
      <div className="session-list-head">
        <input
          type="search"
          aria-label="Search sessions"
          placeholder="Search sessions"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {onNew ? (
          <Button size="small" onClick={onNew}>
            New session
          </Button>
        ) : null}
      </div>
      {filters.length === 0 ? null : (
        <div className="session-list-filters">
          <SegmentedControl
            label="Which sessions"
            segments={FILTERS.filter(({ value }) => filters.includes(value))}
            value={filters.includes(filter) ? filter : "all"}
            onChange={setFilter}
            size="small"
          />
        </div>
      )}
      <div className="session-list-rows" ref={list}>
        {own.map(row)}
        {files.map(({ key, fileName, records }) => (
          <SessionGroupRows
            key={key}
            title={fileName}
            detail={`imported · ${countText(records.length, "session")}`}
            records={records}
            currentId={currentId}
            row={row}
            menu={<FileGroupMenu fileName={fileName} records={records} />}
          />
        ))}
        {comparisons.map(({ experimentId, records }) => (
          <SessionGroupRows
            key={experimentId}
            title={`Comparison on “${records[0]?.preview ?? ""}”`}
            detail={countText(records.length, "run")}
            records={records}
            currentId={currentId}
            row={row}
          />
        ))}
        {own.length + files.length + comparisons.length === 0 ? (
          <p className="dim" style={{ padding: "8px 12px" }}>
            {sessions.length === 0
              ? "No sessions yet: send a message and it is kept here."
              : `No session has “${words}” in it.`}
          </p>
        ) : null}
      </div>
      {hasOwnImport ? null : <ImportFoot onImported={onImported} />}
    </div>
  );
}

const FILTERS: readonly { readonly value: SessionFilter; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "runs", label: "Runs" },
  { value: "comparisons", label: "Comparisons" },
  { value: "imported", label: "Imported" },
];

interface SessionGroupRowsProps {
  readonly title: string;
  readonly detail: string;
  readonly records: readonly SessionRecord[];
  readonly currentId: string | undefined;
  readonly row: (record: SessionRecord) => ReactNode;
  readonly menu?: ReactNode;
}

/** The runs of one comparison, or the sessions of one file: folded until a person looks for one. */
function SessionGroupRows({ title, detail, records, currentId, row, menu }: SessionGroupRowsProps) {
  const [open, setOpen] = useState(() => records.some(({ id }) => id === currentId));
  const [first] = records;
  if (first === undefined) return null;
  return (
    <>
      <div className="session-list-row">
        <button type="button" className="session-list-open" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className="truncate">
            <span aria-hidden="true">{open ? "▾ " : "▸ "}</span>
            {title}
          </span>
          <span className="small dim truncate">{`${timeText(first.updatedAt)} · ${detail}`}</span>
        </button>
        {menu}
      </div>
      {open ? <div className="session-list-group">{records.map(row)}</div> : null}
    </>
  );
}

interface FileGroupMenuProps {
  readonly fileName: string;
  readonly records: readonly SessionRecord[];
}

function FileGroupMenu({ fileName, records }: FileGroupMenuProps) {
  const remove = useSessionState((state) => state.remove);
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`More for ${fileName}`} icon={<MoreHorizontal size={16} aria-hidden="true" />} />}
    >
      <MenuItem danger onSelect={() => void remove(...records.map(({ id }) => id))}>
        {`Delete ${countText(records.length, "session")}`}
      </MenuItem>
    </Menu>
  );
}

function timeText(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

function matches(record: SessionRecord, words: string): boolean {
  const text = `${record.name}\n${record.preview}\n${record.id}`.toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface SessionListRowProps {
  readonly record: SessionRecord;
  readonly current: boolean;
  readonly onChoose: () => void;
}

function SessionListRow({ record, current, onChoose }: SessionListRowProps) {
  const rename = useSessionState((state) => state.rename);
  const [naming, setNaming] = useState<string>();
  const keepName = () => {
    if (naming !== undefined && naming.trim() !== "") void rename(record.id, naming.trim());
    setNaming(undefined);
  };
  if (naming !== undefined) {
    return (
      <div className="session-list-row" style={{ padding: "4px 12px" }}>
        <input
          className="input"
          aria-label="Name of the session"
          value={naming}
          ref={focusOnMount}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setNaming(event.target.value)}
          onBlur={keepName}
          onKeyDown={(event) => {
            if (event.key === "Enter") keepName();
            if (event.key === "Escape") {
              event.stopPropagation();
              setNaming(undefined);
            }
          }}
        />
      </div>
    );
  }
  return (
    <div className="session-list-row" data-current={current}>
      <button type="button" className="session-list-open" aria-current={current} onClick={onChoose}>
        <span className="truncate">{record.name}</span>
        <span className="small dim truncate">{recordWords(record)}</span>
      </button>
      <SessionRowMenu record={record} onRename={() => setNaming(record.name)} />
    </div>
  );
}

const STATUS_WORDS: { readonly [status: string]: string } = {
  running: "running",
  input: "waits for you",
  ended: "ended",
  cut: "ended early",
};

const ORIGIN_WORDS = { import: "imported", compare: "from a comparison", fork: "forked" } as const;

function recordWords(record: SessionRecord): string {
  const origin: string[] = record.origin === "live" ? [] : [ORIGIN_WORDS[record.origin]];
  if (record.imported !== undefined) origin.push(formatName(record.imported.format));
  const status = STATUS_WORDS[record.status];
  return [
    timeText(record.updatedAt),
    ...origin,
    ...(status ? [status] : []),
    countText(record.eventCount, "event"),
  ].join(" · ");
}

function SessionRowMenu({ record, onRename }: { readonly record: SessionRecord; readonly onRename: () => void }) {
  const { notices } = useWorkbench();
  const exportSession = useSessionState((state) => state.exportSession);
  const remove = useSessionState((state) => state.remove);
  const save = (format: "ndjson" | "zip") =>
    void exportSession(record.id, format).then(
      ({ name, contents }) => saveFile(name, contents),
      (error: unknown) =>
        notices.getState().push({
          tone: "bad",
          text: `The session could not be saved: ${error instanceof Error ? error.message : String(error)}`,
        }),
    );
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`More for ${record.name}`} icon={<MoreHorizontal size={16} aria-hidden="true" />} />}
    >
      <MenuItem onSelect={onRename}>Rename</MenuItem>
      <MenuItem detail="events only" onSelect={() => save("ndjson")}>
        Save as .ndjson
      </MenuItem>
      <MenuItem detail="with its files" onSelect={() => save("zip")}>
        Save as .zip
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => void remove(record.id)}>
        Delete
      </MenuItem>
    </Menu>
  );
}
