import { useState, type DragEvent } from "react";
import { shownName, type MountLook, type TreeRow } from "../../store";
import { Swatch } from "../widgets/Swatch";

const MARK_WORDS = { A: "added", M: "modified", D: "deleted", inside: "has changes" } as const;
const MARK_TONES = { A: "ok", M: "warn", D: "bad", inside: "warn" } as const;
/** How a row that is dragged names itself. */
const PATH_TYPE = "application/x-rootscope-path";

export interface TreeRowViewProps {
  readonly row: TreeRow;
  readonly id: string;
  readonly mount: MountLook | undefined;
  /** Of a file in an overlay: the mount that has it. */
  readonly layer?: MountLook | undefined;
  readonly isSelected: boolean;
  /** Marked as what has just changed. */
  readonly isTouched?: boolean;
  /** It would take what is being dragged from outside. */
  readonly isDropTarget?: boolean;
  /** What marks are measured from. */
  readonly since?: string;
  readonly onActivate: () => void;
  /** Another row was dropped on this directory; absent where nothing can be moved. */
  readonly onDropPath?: (from: string) => void;
}

/** One line of the file tree. The tree has the focus and the keys; a row only shows and takes the pointer. */
export function TreeRowView(props: TreeRowViewProps) {
  const { row, id, mount, layer, isSelected, onActivate, onDropPath } = props;
  const [dropping, drop] = useRowDrop(row, onDropPath);
  const isDirectory = row.kind === "directory";
  const name = row.names.map(shownName).join(" / ");
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- a row never takes the focus: a click on it gives the focus to the tree, which has the keys
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-selected={isSelected}
      {...(isDirectory ? { "aria-expanded": row.expanded } : {})}
      data-path={row.path}
      draggable={onDropPath !== undefined && !row.isMount && !row.isGone && row.hiddenBy === undefined}
      className={rowClass(props, dropping)}
      style={{ paddingLeft: 10 + (row.level - 1) * 16 }}
      title={rowHint(props)}
      onClick={onActivate}
      {...drop}
    >
      {mount ? (
        <span className="tree-mount-line" style={{ background: `var(--mount-${mount.color})` }} aria-hidden="true" />
      ) : null}
      <span className="tree-arrow" aria-hidden="true">
        {isDirectory ? (row.expanded ? "▾" : "▸") : ""}
      </span>
      {row.isMount && mount ? <Swatch color={mount.color} /> : null}
      <span
        className={`tree-name truncate${isDirectory ? "" : " mono"}${row.isGone ? " tree-gone" : ""}${row.hiddenBy ? " dim" : ""}`}
      >
        {name}
      </span>
      {mount && !row.isMount ? <span className="visually-hidden">{`, mount ${mount.prefix}`}</span> : null}
      {layer ? <LayerWords layer={layer} hides={row.hides} /> : null}
      {row.hiddenBy ? <span className="tree-hidden dim small truncate">{`hidden by ${row.hiddenBy}`}</span> : null}
      {row.isMount && mount?.readOnly ? <span className="dim small">read-only</span> : null}
      {row.mark ? (
        <span className={`tree-mark ${MARK_TONES[row.mark]}`}>
          <span aria-hidden="true">{row.mark === "inside" ? "•" : row.mark}</span>
          <span className="visually-hidden">{`, ${MARK_WORDS[row.mark]}`}</span>
        </span>
      ) : null}
    </div>
  );
}

function rowClass({ isSelected, isTouched, isDropTarget }: TreeRowViewProps, dropping: boolean): string {
  const selected = isSelected ? " tree-row-selected" : "";
  const touched = isTouched ? " tree-row-touched" : "";
  return `tree-row${selected}${touched}${dropping || isDropTarget ? " tree-row-dropping" : ""}`;
}

/** Which layer of an overlay has the file, and that it hides one of the other. */
function LayerWords({ layer, hides }: { readonly layer: MountLook; readonly hides: string | undefined }) {
  return (
    <span className="tree-layer dim small truncate">
      <Swatch color={layer.color} />
      {` ${layer.prefix}${hides === undefined ? "" : ` over ${hides}`}`}
    </span>
  );
}

function rowHint({ row, mount, layer, since = "the run began" }: TreeRowViewProps): string {
  const mark = row.mark && row.mark !== "inside" ? ` · ${MARK_WORDS[row.mark]} since ${since}` : "";
  const hidden = row.hiddenBy ? ` · hidden by ${row.hiddenBy}` : row.hides ? ` · hides the one of ${row.hides}` : "";
  const from = layer ? ` · from its layer ${layer.prefix}` : "";
  return `${shownName(row.path)}${mount ? ` · mount ${mount.prefix}` : ""}${from}${mark}${hidden}`;
}

/** Rows can be dragged onto directories. Files from outside are the column's business. */
function useRowDrop(row: TreeRow, onDropPath: TreeRowViewProps["onDropPath"]) {
  const [dropping, setDropping] = useState(false);
  const takesDrop = onDropPath !== undefined && row.kind === "directory" && row.hiddenBy === undefined;
  const accepts = (event: DragEvent) => takesDrop && event.dataTransfer.types.includes(PATH_TYPE);
  return [
    dropping,
    {
      onDragStart(event: DragEvent) {
        event.dataTransfer.setData(PATH_TYPE, row.path);
        event.dataTransfer.effectAllowed = "move";
      },
      onDragOver(event: DragEvent) {
        if (takesDrop) setDropping(true);
        if (accepts(event)) event.preventDefault();
      },
      onDragLeave: () => setDropping(false),
      onDrop(event: DragEvent) {
        setDropping(false);
        if (!accepts(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onDropPath?.(event.dataTransfer.getData(PATH_TYPE));
      },
    },
  ] as const;
}
