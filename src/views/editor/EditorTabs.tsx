import { useEffect, useRef, useState, type RefObject } from "react";
import { isFileDocument, shownName } from "../../store";
import { useWorkbench } from "../workbenchContext";
import { Menu, MenuChoice } from "../widgets/Menu";
import { EditorTab } from "./EditorTab";

export interface EditorTabsProps {
  readonly ids: readonly string[];
  readonly activeId: string | undefined;
}

/** The open documents in a row; where they do not fit, a menu holds them all. */
export function EditorTabs({ ids, activeId }: EditorTabsProps) {
  const { editor, mounts } = useWorkbench();
  const strip = useRef<HTMLUListElement>(null);
  const outside = useTabsOutside(strip, ids.join("\n"));
  const files = ids.filter(isFileDocument);
  const open = (id: string) => {
    if (isFileDocument(id)) mounts.getState().reveal(id);
    void editor.getState().open(id);
  };
  return (
    <>
      <ul ref={strip} className="editor-tabs scroll" aria-label="Open documents">
        {ids.map((id) => (
          <EditorTab key={id} id={id} isActive={id === activeId} names={files} />
        ))}
      </ul>
      {outside > 0 ? (
        <Menu
          align="end"
          width={360}
          trigger={
            <button
              type="button"
              className="editor-more numeric"
              aria-label={`All open documents, ${outside} not in view`}
              title="All open documents"
            >
              {`▾ ${outside} more`}
            </button>
          }
        >
          <MenuChoice
            value={activeId ?? ""}
            choices={ids.map((id) => ({ value: id, label: shownName(id) }))}
            onChange={open}
          />
        </Menu>
      ) : null}
    </>
  );
}

/** How many tabs are not wholly in view, followed as the row is scrolled and its room changes. */
function useTabsOutside(strip: RefObject<HTMLUListElement | null>, shown: string): number {
  const [outside, setOutside] = useState(0);
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const measure = () => {
      const room = element.getBoundingClientRect();
      // A pixel is lost to rounding where the page is zoomed.
      const isOutside = (tab: Element) => {
        const box = tab.getBoundingClientRect();
        return box.left < room.left - 1 || box.right > room.right + 1;
      };
      setOutside([...element.children].filter(isOutside).length);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const tab of element.children) observer.observe(tab);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- which tabs there are decides what is to be observed
  }, [strip, shown]);
  return outside;
}
