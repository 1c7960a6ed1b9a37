import { describe, expect, it } from "vitest";
import { limits } from "../base";
import { createNoticeStore, noticeTimeMs } from "./noticeStore";

const action = { label: "Undo", run: () => undefined };

describe("notices", () => {
  it("stand as long as their words need, longer with an offer, and as they say where they say it", () => {
    expect(noticeTimeMs({ tone: "good", text: "Done." })).toBe(5_300);
    expect(noticeTimeMs({ tone: "info", text: "Done.", details: ["12345"] })).toBe(5_600);
    expect(noticeTimeMs({ tone: "info", text: "Done.", action })).toBe(limits.undoMs + 300);
    expect(noticeTimeMs({ tone: "bad", text: "Done.", timeoutMs: 10 })).toBe(10);
  });

  it("stay until dismissed when they are bad news, and go in time when they name what was left out", () => {
    expect(noticeTimeMs({ tone: "bad", text: "Not saved.", action })).toBeUndefined();
    expect(noticeTimeMs({ tone: "warn", text: "Imported 1 file, 1 left out.", details: ["a"] })).toBe(6_740);
    expect(noticeTimeMs({ tone: "warn", text: "Wait." })).toBe(5_300);
  });

  it("that say the same are one, the newest", () => {
    const store = createNoticeStore();
    store.getState().push({ tone: "info", text: "same" });
    store.getState().push({ tone: "bad", text: "other" });
    const id = store.getState().push({ tone: "info", text: "same" });
    expect(store.getState().notices.map(({ text }) => text)).toEqual(["other", "same"]);
    expect(store.getState().notices.at(-1)?.id).toBe(id);
  });
});
