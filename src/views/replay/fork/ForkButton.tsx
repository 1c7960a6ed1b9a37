import { GitFork } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useStore } from "zustand";
import { useWorkbench } from "../../workbenchContext";
import { Button } from "../../widgets/Button";

const ForkDialog = lazy(async () => ({ default: (await import("./ForkDialog")).ForkDialog }));

/** Asks what a new session out of this one does otherwise, from the event that is shown. */
export function ForkButton() {
  const { replay } = useWorkbench();
  const sessionId = useStore(replay, (state) => state.sessionId);
  const isReady = useStore(replay, (state) => state.loading === undefined && state.eventCount > 0);
  const [at, setAt] = useState<number>();
  return (
    <>
      <Button
        size="small"
        disabled={!isReady}
        icon={<GitFork size={14} aria-hidden="true" />}
        title="Goes on from this event as a new session, on files of its own"
        onClick={() => {
          replay.getState().pause();
          setAt(Math.max(0, replay.getState().index));
        }}
      >
        Fork from here…
      </Button>
      {at === undefined || sessionId === undefined ? null : (
        <Suspense fallback={null}>
          <ForkDialog sessionId={sessionId} index={at} onClose={() => setAt(undefined)} />
        </Suspense>
      )}
    </>
  );
}
