import { useEffect, useEffectEvent } from "react";
import type { ReplayAsk } from "../../store";
import { useWorkbench } from "../workbenchContext";

/** Does what the palette or a key asks of the open replay, whenever it does. */
export function useAsked(what: ReplayAsk, act: () => void): void {
  const { replay } = useWorkbench();
  const onAsked = useEffectEvent(act);
  useEffect(
    () =>
      replay.subscribe(({ asked }, before) => {
        if (asked !== undefined && asked !== before.asked && asked.what === what) onAsked();
      }),
    [replay, what],
  );
}
