import { useEffect, useRef } from "react";

/** A row the person must see, such as a call that waits for them. */
export interface RowAttention {
  readonly rowId: string;
  /** On the button that leads there while the row is out of sight. */
  readonly words: string;
}

export interface AttentionNeeds {
  /** The end of the list is watched. */
  readonly follows: boolean;
  /** The row is in view, or the one that wanted attention just before it was. */
  readonly inView: boolean;
  readonly lead: (rowId: string) => void;
}

/**
 * Leads once to each row that wants attention: at once for one who watches. One who has scrolled away is left where they
 * are until the row comes into view.
 */
export function useRowAttention(rowId: string | undefined, { follows, inView, lead }: AttentionNeeds): void {
  const led = useRef<string>(undefined);
  useEffect(() => {
    if (rowId === undefined || led.current === rowId || (!follows && !inView)) return;
    led.current = rowId;
    lead(rowId);
  });
}
