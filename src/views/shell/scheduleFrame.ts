/** Milliseconds a callback waits in a hidden tab, which draws no frames. */
const HIDDEN_MS = 50;

/** Calls back before the next paint, or soon when none comes. */
export function scheduleFrame(callback: () => void): void {
  let called = false;
  const once = () => {
    if (called) return;
    called = true;
    callback();
  };
  requestAnimationFrame(once);
  setTimeout(once, HIDDEN_MS);
}
