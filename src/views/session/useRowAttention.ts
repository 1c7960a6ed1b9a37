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
  /** The row that wanted attention up to now was in view. */
  readonly inView: boolean;
  readonly lead: (rowId: string) => void;
}

/** Leads to a row that wants attention: at once for one who watches; one who has scrolled away is left there. */
export function useRowAttention(rowId: string | undefined, { follows, inView, lead }: AttentionNeeds): void {
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (seen.current === rowId) return;
    const watches = follows || (seen.current !== undefined && inView);
    seen.current = rowId;
    if (rowId !== undefined && watches) lead(rowId);
  });
}
