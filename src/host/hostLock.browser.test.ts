import { expect, test } from "vitest";
import { holdHostLock } from "./hostLock";

test("one at a time holds the lock of a host, and the next may once it is let go", async () => {
  const letGo = await holdHostLock("test/host");
  await holdHostLock("test/other").then((other) => other());
  await expect(holdHostLock("test/host")).rejects.toMatchObject({
    code: "busy-tab",
    message:
      "Another tab runs commands on this project's disk, and only one may. Go on in that tab, or close it and try again.",
    retry: true,
  });
  letGo();
  // It is free a task later.
  await expect
    .poll(() =>
      holdHostLock("test/host").then(
        (again) => again(),
        () => "held",
      ),
    )
    .toBeUndefined();
});
