import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { shownName, type MountView } from "../../store";
import { useShell } from "../shell/shellContext";
import { useWorkbench } from "../workbenchContext";
import { Button } from "../widgets/Button";
import { byteText } from "../widgets/byteText";
import { EmptyState } from "../widgets/EmptyState";
import { IconButton } from "../widgets/IconButton";
import { PanelHeader } from "../widgets/PanelHeader";
import { Progress } from "../widgets/Progress";
import { ChangesMenu } from "./ChangesMenu";
import { FilesMenu } from "./FilesMenu";
import { MountRow } from "./MountRow";
import { ScratchRow } from "./ScratchRow";
import { useFileDrop } from "./useFileDrop";
import { useTreeEditing } from "./treeEditing";
import { useMountOrder } from "./useMountOrder";
import "./mounts.css";

const FileTree = lazy(() => import("./FileTree").then((module) => ({ default: module.FileTree })));
const MountDialog = lazy(() => import("./MountDialog").then((module) => ({ default: module.MountDialog })));
const CredentialsDialog = lazy(() =>
  import("./CredentialsDialog").then((module) => ({ default: module.CredentialsDialog })),
);

/** The window that is open over the table: a new mount, one that is edited, one that is given its key. */
type MountWindow = { readonly kind: "new" } | { readonly kind: "edit" | "key"; readonly mount: MountView };

/** The left column: the mount table over one merged tree. */
export function MountsColumn() {
  const { mounts: store } = useWorkbench();
  const mounts = useStore(store, (state) => state.mounts);
  const scratch = useStore(store, (state) => state.scratch);
  const [open, setOpen] = useState<MountWindow | undefined>(undefined);
  const order = useMountOrder(mounts);
  const close = () => setOpen(undefined);
  const { dropTarget, handlers } = useFileDrop();
  const table = useNewestInView(mounts.length);
  return (
    <div className={dropTarget === undefined ? "mounts-column" : "mounts-column mounts-dropping"} {...handlers}>
      <PanelHeader title="Mounts">
        <Button size="small" onClick={() => setOpen({ kind: "new" })}>
          + Add
        </Button>
      </PanelHeader>
      <KeptNotice />
      <ul ref={table} className="mount-table scroll" aria-label="Mounts">
        {mounts.map((mount) => (
          <MountRow
            key={mount.id}
            mount={mount}
            order={order}
            edit={() => setOpen({ kind: "edit", mount })}
            giveKey={() => setOpen({ kind: "key", mount })}
          />
        ))}
        {scratch ? <ScratchRow scratch={scratch.view} /> : null}
      </ul>
      <output className="visually-hidden">{order.said}</output>
      <FilesPanel dropTarget={dropTarget} addMount={() => setOpen({ kind: "new" })} />
      <Suspense fallback={null}>
        {open?.kind === "key" ? <CredentialsDialog mount={open.mount} onClose={close} /> : null}
        {open && open.kind !== "key" ? (
          <MountDialog mount={open.kind === "edit" ? open.mount : undefined} onClose={close} />
        ) : null}
      </Suspense>
    </div>
  );
}

/** Said where files are kept, when they are not. */
function KeptNotice() {
  const { project } = useWorkbench();
  const kept = useStore(project, (state) => state.kept);
  const reason = useStore(project, (state) => state.keptReason);
  if (kept) return null;
  return (
    <p className="kept-notice small" role="note">
      {reason ?? "This browser refuses storage."} Everything works, in memory only: export the project before you close
      the tab.
    </p>
  );
}

/** A mount that is added stands last in the table, which may be longer than its room. */
function useNewestInView(count: number) {
  const table = useRef<HTMLUListElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) table.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
    before.current = count;
  }, [count]);
  return table;
}

interface FilesPanelProps {
  /** Where what is being dragged would go. */
  readonly dropTarget: string | undefined;
  readonly addMount: () => void;
}

function FilesPanel({ dropTarget, addMount }: FilesPanelProps) {
  const { mounts: store } = useWorkbench();
  const shell = useShell();
  const editing = useTreeEditing();
  const isEmpty = useStore(store, (state) => state.mounts.length === 0);
  return (
    <>
      <div className="files-header">
        <PanelHeader
          title="Files"
          detail={
            dropTarget === undefined ? (
              <ChangesMenu editing={editing} />
            ) : (
              <span className="drop-words">
                {dropTarget === "" ? "No mount takes files" : `Drop: into ${shownName(dropTarget)}`}
              </span>
            )
          }
        >
          <IconButton
            label="Go to file"
            keys="mod+P"
            icon={<Search size={15} aria-hidden="true" />}
            onClick={() => shell.show("files")}
          />
          <FilesMenu editing={editing} />
        </PanelHeader>
      </div>
      <ImportProgressRow />
      {isEmpty ? (
        <EmptyState
          text="Files live in mounts. Add one, then drop files, folders or a zip here."
          action={<Button onClick={addMount}>Add a mount</Button>}
        />
      ) : (
        <Suspense fallback={null}>
          <FileTree editing={editing} dropTarget={dropTarget} />
        </Suspense>
      )}
    </>
  );
}

function ImportProgressRow() {
  const { mounts: store } = useWorkbench();
  const importing = useStore(store, (state) => state.importing);
  if (!importing) return null;
  const { label, target, files, bytes, total } = importing;
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  return (
    <Progress
      label={`Importing ${shownName(label)} to ${shownName(target)}`}
      detail={`${files.toLocaleString("en")}${of} ${files === 1 && !total ? "file" : "files"} · ${byteText(bytes)}`}
      {...(total ? { share: files / total } : {})}
      onStop={store.getState().stopImport}
    />
  );
}
