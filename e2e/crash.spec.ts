import { ModelMenu } from "./modelMenu";
import { ModelServer } from "./modelServer";
import { expect, Playground, test } from "./playground";
import { eventsAsShown, eventsFromLog } from "./sessionLog";
import { collectShownEvents } from "./shownEvents";

const COME_BACK = /The page was closed while this session ran/;

test("a tab that crashes in the middle of a call comes back with all that was shown, the call answered as cut off", async ({
  playground,
  page,
  context,
}) => {
  await using server = await ModelServer.start({
    answers: [
      (stream) => {
        stream.say("First a file.");
        stream.call("Write", { path: "/work/kept.md", fileText: "written before the crash\n" });
        stream.end();
      },
      (stream) => {
        stream.say("Now a search that never ends.");
        stream.call("Grep", { pattern: "before.*crash", path: "/work" });
        stream.end();
      },
      (stream) => {
        stream.say("Back again.");
        stream.end();
      },
    ],
  });
  await deafSearchWorkers(page);
  await playground.openEmptyProject("Crashing");
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.close();
  await playground.view("Raw");
  const shown = await collectShownEvents(page);

  await playground.send("Write a file, then search it");
  const raw = page.getByRole("list", { name: "Events" });
  await expect(raw.getByText("actions.requested")).toHaveCount(2);
  await expect(raw.getByText("action.result")).toHaveCount(1);
  await crash(page);

  const revived = new Playground(await context.newPage());
  await revived.open();
  await expect(revived.notice(COME_BACK)).toBeVisible();
  await expect(revived.calls(/^ok Write \/work\/kept\.md/)).toBeVisible();
  await expect(revived.calls(/^failed Grep .* in \/work.*cut off/)).toBeVisible();
  await expect(revived.answers("Now a search that never ends.")).toBeVisible();
  await expect(revived.files.row("/work/kept.md")).toBeVisible();

  await revived.run("Are you still there?");
  await expect(revived.answers("Back again.")).toBeVisible();

  const log = await eventsFromLog((await revived.saveSession("Write a file, then search it", "ndjson")).path);
  expect(shown.size).toBeGreaterThan(10);
  expect(eventsAsShown(log, shown)).toEqual([...shown.values()]);
  const cut = log.find((event) => event.type === "action.result" && event.data["status"] === "failed");
  expect(cut?.data["error"]).toMatchObject({ code: "host-lost" });
  expect(log.find((event) => event.type === "turn.failed")?.data).toMatchObject({ code: "host-lost" });
  // The model is told of the cut call, and every call it made has its answer.
  const roles = server.requests.at(-1)?.body.messages.map((message) => message.role);
  expect(roles).toEqual(["system", "user", "assistant", "tool", "assistant", "tool", "user"]);
  expect(revived.complaints).toEqual([]);
});

/** Searches that need a worker go on for ever: a pattern that may run away runs nowhere else. */
async function deafSearchWorkers(page: Playground["page"]): Promise<void> {
  await page.addInitScript(() => {
    const RealWorker = Worker;
    const DeafWorker = class extends EventTarget {
      postMessage(): void {}
      terminate(): void {}
    };
    window.Worker = new Proxy(RealWorker, {
      construct: (target, [url, options]: [URL, WorkerOptions]) =>
        String(url).includes("engineWorker") ? new DeafWorker() : new target(url, options),
    });
  });
}

/** Kills the process that draws the page, as the system does when memory runs out. */
async function crash(page: Playground["page"]): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const devtools = await page.context().newCDPSession(page);
  // There is nobody left to answer.
  void devtools.send("Page.crash").catch(() => undefined);
  await crashed;
}
