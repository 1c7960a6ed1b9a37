/** Runs `work` before a coming frame, one at a time; heavy work is given time in proportion, so that it never crowds the thread. */
export function framePacer(scheduleFrame: (callback: () => void) => void, work: () => Promise<void>): () => void {
  let state: "idle" | "waiting" | "running" | "again" = "idle";
  const run = async () => {
    state = "running";
    const began = performance.now();
    await work();
    const restMs = (performance.now() - began) * 4;
    const again = (state as string) === "again";
    state = "idle";
    if (!again) return;
    state = "waiting";
    setTimeout(() => scheduleFrame(() => void run()), Math.min(restMs, 1_000));
  };
  return () => {
    if (state === "idle") {
      state = "waiting";
      scheduleFrame(() => void run());
    } else if (state === "running") state = "again";
  };
}
