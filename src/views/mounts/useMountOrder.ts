import { useState, type DragEvent } from "react";
import type { MountView } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** How a row that is dragged names itself. */
const MOUNT_TYPE = "application/x-rootscope-mount";

/** Moves mounts within their table: by keys and the menu one place at a time, by dragging to any. */
export interface MountOrder {
  move(id: string, by: -1 | 1): Promise<void>;
  isFirst(id: string): boolean;
  isLast(id: string): boolean;
  /** The class, with a space before it, of a row that something would be dropped at. */
  dropClass(id: string): string;
  dragHandlers(id: string): {
    onDragStart(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(): void;
    onDragEnd(): void;
    onDrop(event: DragEvent): void;
  };
  /** What was moved where, for a screen reader. */
  readonly said: string;
}

export function useMountOrder(mounts: readonly MountView[]): MountOrder {
  const { mounts: store } = useWorkbench();
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const [said, setSaid] = useState("");
  const placeOf = (id: string | undefined) => mounts.findIndex((mount) => mount.id === id);

  const moveTo = async (id: string, place: number) => {
    const from = placeOf(id);
    const mount = mounts[from];
    if (!mount || place < 0 || place >= mounts.length || place === from) return;
    const by = place > from ? 1 : -1;
    for (let step = from; step !== place; step += by) await store.getState().reorderMount(id, by);
    setSaid(`${mount.prefix} is now ${place + 1} of ${mounts.length}.`);
  };

  return {
    move: (id, by) => moveTo(id, placeOf(id) + by),
    isFirst: (id) => placeOf(id) === 0,
    isLast: (id) => placeOf(id) === mounts.length - 1,
    dropClass: (id) =>
      over !== id || dragged === id ? "" : placeOf(dragged) < placeOf(id) ? " mount-drop-after" : " mount-drop-before",
    dragHandlers: (id) => ({
      onDragStart(event) {
        event.dataTransfer.setData(MOUNT_TYPE, id);
        event.dataTransfer.effectAllowed = "move";
        setDragged(id);
      },
      onDragOver(event) {
        if (dragged === undefined) return;
        event.preventDefault();
        setOver(id);
      },
      onDragLeave: () => setOver(undefined),
      onDragEnd() {
        setDragged(undefined);
        setOver(undefined);
      },
      onDrop(event) {
        if (dragged === undefined) return;
        event.preventDefault();
        void moveTo(dragged, placeOf(id));
      },
    }),
    said,
  };
}
