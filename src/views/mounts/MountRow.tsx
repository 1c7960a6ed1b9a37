import { lazy, Suspense, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { isHostRuntime, shownName, type MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Swatch } from "../widgets/Swatch";
import { Tag } from "../widgets/Tag";
import { MountCount } from "./MountCount";
import { kindLook } from "./mountKinds";
import type { MountOrder } from "./useMountOrder";

const MountMenu = lazy(() => import("./MountMenu").then((module) => ({ default: module.MountMenu })));
const MountStateNote = lazy(() => import("./MountStateNote").then((module) => ({ default: module.MountStateNote })));

export interface MountRowProps {
  readonly mount: MountView;
  readonly order: MountOrder;
  readonly edit: () => void;
  readonly giveKey: () => void;
}

/** One line of the mount table, and below it what is to be said of it. */
export function MountRow({ mount, order, edit, giveKey }: MountRowProps) {
  const { prefix, readOnly, color, hides } = mount;
  const isUnseen =
    useStore(useWorkbench().project, ({ agent }) => isHostRuntime(agent.runtime)) && mount.kind !== "host";
  const move = (by: -1 | 1) => void order.move(mount.id, by);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <li
      className={`mount${isUnseen ? " mount-unseen" : ""}${order.dropClass(mount.id)}`}
      draggable
      {...order.dragHandlers(mount.id)}
    >
      <div className="row mount-line">
        <Swatch color={color} />
        <button
          type="button"
          className="mount-prefix mono truncate"
          title={`${shownName(prefix)}: edit this mount. Drag the row, or Alt with ↑ or ↓, to move it.`}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={edit}
          onKeyDown={onKeyDown}
        >
          {shownName(prefix)}
        </button>
        <KindTag mount={mount} />
        {readOnly && mount.kind !== "overlay" ? (
          <Tag title={`Read-only: ${mount.readOnlyReason ?? "neither the agent nor you can write here."}`}>
            <span className="mount-read-only">read-only</span>
            <span className="mount-ro" aria-hidden="true">
              ro
            </span>
          </Tag>
        ) : null}
        <MountCount mount={mount} />
        <Suspense fallback={<span className="icon-button mount-more" />}>
          <MountMenu
            mount={mount}
            isFirst={order.isFirst(mount.id)}
            isLast={order.isLast(mount.id)}
            edit={edit}
            giveKey={giveKey}
            move={move}
          />
        </Suspense>
      </div>
      {hasNote(mount) ? (
        <Suspense fallback={null}>
          <MountStateNote mount={mount} edit={edit} giveKey={giveKey} />
        </Suspense>
      ) : null}
      {isUnseen ? <p className="mount-note small dim">not seen on the host</p> : null}
      {hides.map((hidden) => (
        <p key={hidden.prefix} className="mount-note small warn">
          {`hides ${countText(hidden.fileCount, "file")} of ${hidden.prefix}`}
        </p>
      ))}
    </li>
  );
}

function hasNote({ state, error, readOnlyReason, kind, fileCount }: MountView): boolean {
  const isEmptyHost = kind === "host" && fileCount === 0;
  return state !== "ready" || error !== undefined || readOnlyReason !== undefined || isEmptyHost;
}

function KindTag({ mount }: { readonly mount: MountView }) {
  const kept = useStore(useWorkbench().project, (state) => state.kept);
  // Where the browser refuses storage, what would be kept in it is in memory.
  const isInMemory = !kept && (mount.kind === "idb" || "disk" in mount.source);
  const look = kindLook(isInMemory ? "memory" : mount.kind);
  return (
    <Tag title={`${sourceWords(mount)}${look.about}`}>
      <look.icon className="mount-icon" size={11} aria-hidden="true" />
      {look.word}
    </Tag>
  );
}

/** Which one it is: its address, its name. */
function sourceWords({ source }: MountView): string {
  const words = {
    folder: () => source.kind === "folder" && source.name,
    archive: () => source.kind === "archive" && source.fileName,
    address: () => source.kind === "address" && source.url,
    package: () => source.kind === "package" && source.package,
    s3: () => source.kind === "s3" && [source.endpoint, source.bucket, source.folder].filter((part) => part).join("/"),
    webdav: () => source.kind === "webdav" && source.url,
    memory: () => "",
    idb: () => "",
    host: () => "",
    overlay: () => "",
  }[source.kind]();
  return words ? `${shownName(words)}\n` : "";
}
