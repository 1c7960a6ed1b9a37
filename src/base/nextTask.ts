/**
 * Lets everything else that waits run. By a message or an immediate and not by a timer: browsers make a timer wait four
 * milliseconds, and hidden tabs hold it back for a second.
 */
export function nextTask(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
