import { afterEach, expect, test } from "vitest";
import type { SessionEvent } from "../../session";
import { htmlFromSessions } from "./htmlFromSessions";

let frame: HTMLIFrameElement | undefined;
afterEach(() => frame?.remove());

async function opened(events: readonly SessionEvent[], title = "A session"): Promise<Document> {
  const html = await htmlFromSessions({ sessions: [{ id: "s", title, events }] });
  const made = document.createElement("iframe");
  made.style.cssText = "width:900px;height:600px";
  made.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  document.body.append(made);
  frame = made;
  await new Promise((resolve) => made.addEventListener("load", resolve, { once: true }));
  const page = made.contentDocument;
  if (page === null) throw new Error("the page is of this origin");
  await expect.poll(() => page.querySelectorAll(".row").length).toBeGreaterThan(0);
  return page;
}

const meta = { id: "evt_1", at: "2026-01-01T00:00:00.000Z" };
const turn = { turnId: "turn_0", sequence: 0 };
const step = { ...turn, stepIndex: 0 };

function session(extra: readonly SessionEvent[] = []): SessionEvent[] {
  return [
    { type: "turn.started", data: turn, meta },
    { type: "message.received", data: { ...turn, message: "<img src=x onerror='parent.hacked=1'>" }, meta },
    { type: "step.started", data: { ...step, modelId: "m" }, meta },
    {
      type: "actions.requested",
      data: { ...step, actions: [{ kind: "tool-call", callId: "c", toolName: "Read", input: { path: "/a.md" } }] },
      meta,
    },
    {
      type: "action.result",
      data: {
        ...step,
        status: "completed",
        toolName: "Read",
        result: { kind: "tool-result", callId: "c", toolName: "Read", output: "needle in a file" },
      },
      meta,
    },
    { type: "message.completed", data: { ...step, message: "All read.", finishReason: "stop" }, meta },
    ...extra,
  ];
}

const shown = (page: Document): string[] =>
  [...page.querySelectorAll(".row")].map(
    (row) =>
      (row.querySelector(".kind")?.textContent ?? "") + (row.getAttribute("aria-current") === "true" ? " *" : ""),
  );

function press(page: Document, key: string): void {
  (page.activeElement ?? page.body).dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
  );
}

test("a page shows the session, is stepped through by keys, and searches everything", async () => {
  const page = await opened(session());
  expect(shown(page)).toEqual(["Turn 1", "Person", "Step 1", "Read", "Agent"]);
  expect(page.querySelectorAll("img")).toHaveLength(0);
  expect(page.querySelector(".text")?.textContent).toBe("<img src=x onerror='parent.hacked=1'>");
  press(page, "j");
  press(page, "]");
  expect(shown(page)).toEqual(["Turn 1", "Person", "Step 1 *", "Read", "Agent"]);
  press(page, "j");
  expect(page.querySelector('[aria-current="true"] pre')).toBeNull();
  press(page, "Enter");
  expect([...page.querySelectorAll('[aria-current="true"] pre')].map((each) => each.textContent)).toEqual([
    '{\n  "path": "/a.md"\n}',
    "needle in a file",
  ]);
  press(page, "/");
  const find = page.querySelector<HTMLInputElement>("#find");
  if (find === null) throw new Error("a page has a search");
  expect(page.activeElement).toBe(find);
  find.value = "NEEDLE";
  find.dispatchEvent(new Event("input", { bubbles: true }));
  expect(page.querySelector("#count")?.textContent).toBe("1 row");
  press(page, "Enter");
  expect(page.querySelector("#count")?.textContent).toBe("1 of 1");
  expect(page.querySelector(".match .kind")?.textContent).toBe("Read");
  expect("hacked" in window).toBe(false);
});

test("a session of 20,000 rows keeps few of them in the page, also at its end", async () => {
  const many = Array.from({ length: 20_000 }, (_, index): SessionEvent => {
    return { type: "message.completed", data: { ...step, message: `answer ${index}`, finishReason: "stop" }, meta };
  });
  const page = await opened(session(many));
  expect(page.querySelectorAll(".row").length).toBeLessThan(400);
  press(page, "End");
  await expect.poll(() => page.querySelector('[aria-current="true"]')?.textContent).toContain("answer 19999");
  await expect.poll(() => page.querySelectorAll(".row").length).toBeLessThan(400);
});
