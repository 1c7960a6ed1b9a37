import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { IconButton } from "../widgets/IconButton";
import { Menu, MenuItem, MenuSeparator } from "../widgets/Menu";
import { saveFile } from "../widgets/saveFile";

const FetchAgainDialog = lazy(() =>
  import("./FetchAgainDialog").then((module) => ({ default: module.FetchAgainDialog })),
);

const RemoveMountDialog = lazy(() =>
  import("./RemoveMountDialog").then((module) => ({ default: module.RemoveMountDialog })),
);

/** Where the host keeps what commands printed that was too long to show. */
const COMMAND_LOGS = "/.agent/out";

export interface MountMenuProps {
  readonly mount: MountView;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly edit: () => void;
  readonly giveKey: () => void;
  readonly move: (by: -1 | 1) => void;
}

/** What can be done with a mount. */
export function MountMenu({ mount, isFirst, isLast, edit, giveKey, move }: MountMenuProps) {
  const { mounts: store, notices } = useWorkbench();
  const { id, prefix, readOnly, readOnlyReason, source, state } = mount;
  const say = async (answer: Promise<string | undefined>) => {
    const problem = await answer;
    if (problem !== undefined) notices.getState().push({ tone: "bad", text: `${prefix}: ${problem}` });
  };
  const download = async () => {
    const file = await store.getState().download(prefix);
    if (file) saveFile(file.name, file.contents);
  };
  const [lost, setLost] = useState<readonly string[]>();
  const [isLeaving, setIsLeaving] = useState(false);
  const remove = () => void store.getState().removeMount(id);
  const hasLogs = source.kind === "host" && store.getState().trees.get(id)?.entry(COMMAND_LOGS) !== undefined;
  const isKeptHereOnly = "disk" in source && mount.fileCount > 0;
  const fetchAgain = () => void say(store.getState().reopenMount(id));
  const askToFetch = async () => {
    // What cannot be read is not known to be lost; fetching says what is wrong, and can be undone.
    const found = await store
      .getState()
      .lostByFetching(id)
      .catch(() => undefined);
    if (found === undefined) fetchAgain();
    else setLost(found);
  };
  const isElsewhere = source.kind === "folder" || source.kind === "s3" || source.kind === "webdav";
  const takesKey = (source.kind === "s3" && source.access === "keys") || (source.kind === "webdav" && source.user);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton
            className="mount-more"
            label={`More for ${prefix}`}
            icon={<Ellipsis size={15} aria-hidden="true" />}
          />
        }
      >
        <MenuItem onSelect={edit}>Edit…</MenuItem>
        {isElsewhere && state === "ready" ? (
          <MenuItem onSelect={() => void say(store.getState().refreshMount(id))}>Look for changes</MenuItem>
        ) : null}
        {source.kind === "address" || source.kind === "package" ? (
          <MenuItem disabled={state === "opening"} onSelect={() => void askToFetch()}>
            Fetch again
          </MenuItem>
        ) : null}
        {takesKey ? <MenuItem onSelect={giveKey}>Give another key…</MenuItem> : null}
        {readOnlyReason === undefined ? (
          <MenuItem onSelect={() => void say(store.getState().editMount(id, { readOnly: !readOnly }))}>
            {readOnly ? "Allow writing" : "Make read-only"}
          </MenuItem>
        ) : null}
        <MenuItem disabled={isFirst} keys="alt+↑" onSelect={() => move(-1)}>
          Move up
        </MenuItem>
        <MenuItem disabled={isLast} keys="alt+↓" onSelect={() => move(1)}>
          Move down
        </MenuItem>
        <MenuItem onSelect={() => void download()}>Download as zip</MenuItem>
        {hasLogs ? (
          <MenuItem onSelect={() => void say(store.getState().remove([prefix + COMMAND_LOGS]))}>
            Clear command logs
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem danger onSelect={isKeptHereOnly ? () => setIsLeaving(true) : remove}>
          {isKeptHereOnly ? "Remove…" : "Remove"}
        </MenuItem>
      </Menu>
      {isLeaving ? (
        <Suspense fallback={null}>
          <RemoveMountDialog
            mount={mount}
            onClose={() => setIsLeaving(false)}
            download={() => void download()}
            remove={remove}
          />
        </Suspense>
      ) : null}
      {lost ? (
        <Suspense fallback={null}>
          <FetchAgainDialog
            prefix={prefix}
            written={lost}
            onClose={() => setLost(undefined)}
            download={() => void download()}
            fetchAgain={fetchAgain}
          />
        </Suspense>
      ) : null}
    </>
  );
}
