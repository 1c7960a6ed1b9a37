import { lazy, Suspense } from "react";
import { useSessionLook } from "./useSessionState";

const StepRequestDialog = lazy(async () => ({ default: (await import("./StepRequestDialog")).StepRequestDialog }));

/** "What the model saw", once a step is asked for it. */
export function ModelSawDialog() {
  const stepId = useSessionLook((state) => state.shownRequest);
  if (stepId === undefined) return null;
  return (
    <Suspense>
      <StepRequestDialog stepId={stepId} />
    </Suspense>
  );
}
