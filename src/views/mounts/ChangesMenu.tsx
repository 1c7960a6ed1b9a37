import { useStore } from "zustand";
import { limits } from "../../base";
import { shownName } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { countText } from "../widgets/byteText";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../widgets/Menu";
import type { TreeEditing } from "./treeEditing";

const MARKS = { added: "A", modified: "M", deleted: "D" } as const;
const TONES = { added: "ok", modified: "warn", deleted: "bad" } as const;

/** How many files changed since the run began, each to be opened, all to be put back. */
export function ChangesMenu({ editing }: { readonly editing: TreeEditing }) {
  const { mounts } = useWorkbench();
  const count = useStore(mounts, (state) => state.changes.count);
  if (count === 0) return null;
  return (
    <Menu
      width={320}
      trigger={
        <button
          type="button"
          className="changes-trigger truncate"
          title={`${countText(count, "file")} changed since the run began`}
        >
          {`${count.toLocaleString("en")} changed this run`}
        </button>
      }
    >
      <ChangedFiles />
      <MenuSeparator />
      <MenuItem danger onSelect={() => void editing.revertAll()}>
        Revert all to before the run
      </MenuItem>
    </Menu>
  );
}

/** Listed only while the menu is open. */
function ChangedFiles() {
  const { mounts, editor } = useWorkbench();
  const changes = useStore(mounts, (state) => state.changes);
  const listed = changes.list().slice(0, limits.listedChanges);
  const further = changes.count - listed.length;
  return (
    <>
      <MenuLabel>Open the changes of</MenuLabel>
      {listed.map(({ path, kind }) => (
        <MenuItem
          key={path}
          icon={<span className={`change-mark ${TONES[kind]}`}>{MARKS[kind]}</span>}
          onSelect={() => {
            mounts.getState().reveal(path);
            void editor.getState().open(path, "changes");
          }}
        >
          <span className="mono tree-name">{shownName(path)}</span>
        </MenuItem>
      ))}
      {further > 0 ? <MenuLabel>{`and ${further.toLocaleString("en")} more, marked in the tree`}</MenuLabel> : null}
    </>
  );
}
