import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createNoticeStore } from "./noticeStore";
import { shownWork } from "./shownWork";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (notices: ReturnType<typeof createNoticeStore>) => notices.getState().notices.map(({ text }) => text);

it("says nothing of what is done in a moment", () => {
  const notices = createNoticeStore();
  const work = shownWork(notices, "Exporting");
  vi.advanceTimersByTime(500);
  work.end();
  vi.advanceTimersByTime(10_000);
  expect(texts(notices)).toEqual([]);
});

it("says how far long work is, a second apart, until it ends", () => {
  const notices = createNoticeStore();
  const work = shownWork(notices, "Exporting");
  work.progress("Exporting: 1 file");
  vi.advanceTimersByTime(2_000);
  expect(texts(notices)).toEqual(["Exporting: 1 file"]);
  work.progress("Exporting: 2 files");
  work.progress("Exporting: 3 files");
  expect(texts(notices)).toEqual(["Exporting: 2 files"]);
  vi.advanceTimersByTime(1_000);
  work.progress("Exporting: 4 files");
  expect(texts(notices)).toEqual(["Exporting: 4 files"]);
  work.end();
  expect(texts(notices)).toEqual([]);
});

it("is stopped by a person", () => {
  const notices = createNoticeStore();
  const work = shownWork(notices, "Exporting");
  vi.advanceTimersByTime(1_000);
  expect(work.signal.aborted).toBe(false);
  notices.getState().notices[0]?.action?.run();
  expect(work.signal.aborted).toBe(true);
});
