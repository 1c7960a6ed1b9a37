import { Dialog } from "../widgets/Dialog";
import { Kbd, keyText } from "../widgets/Kbd";
import { shortcutGroups } from "./shortcuts";

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys" width={940}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- a region that scrolls must be reachable by key */}
      <div className="shortcut-groups" role="group" aria-label="All keys" tabIndex={0}>
        {shortcutGroups.map((group) => (
          <section key={group.title}>
            <h3 className="dim small">{group.title}</h3>
            <dl className="shortcut-list">
              {group.keys.map(([keys, does]) => (
                <div key={keys} className="shortcut">
                  <dt>
                    <span className="visually-hidden">{keyText(keys)}</span>
                    <Kbd keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="dim small">Single letters act only on a row that has the focus, never while you type.</p>
    </Dialog>
  );
}
