import { afterEach, describe, expect, it, vi } from "vitest";
import { limits } from "../base";
import { createNoticeStore } from "./noticeStore";
import { offerBack } from "./offerBack";

afterEach(() => void vi.useRealTimers());

function offered(file?: () => Promise<{ name: string; contents: Blob }>) {
  vi.useFakeTimers();
  const notices = createNoticeStore();
  const end = vi.fn();
  const undo = vi.fn();
  offerBack(notices, { text: "Gone", undo, end, ...(file === undefined ? {} : { file }) });
  return {
    end,
    undo,
    notices: () => notices.getState().notices,
    later: () => vi.advanceTimersByTimeAsync(limits.undoMs + 1_000),
  };
}

describe("what was taken away", () => {
  it("goes for good when the time is over, and not once it is back", async () => {
    const gone = offered();
    expect(gone.notices()[0]).not.toHaveProperty("file");
    await gone.later();
    expect([gone.end.mock.calls.length, gone.notices()]).toEqual([1, []]);
    const back = offered();
    back.notices()[0]?.action?.run();
    await back.later();
    expect([back.undo.mock.calls.length, back.end.mock.calls.length]).toEqual([1, 0]);
  });

  it("waits for the file that is being made of it, and says when there is none", async () => {
    let finish = (_file: { name: string; contents: Blob }) => undefined as void;
    const slow = offered(() => new Promise((resolve) => (finish = resolve)));
    const making = slow.notices()[0]?.file?.();
    await slow.later();
    expect(slow.end).not.toHaveBeenCalled();
    finish({ name: "a.zip", contents: new Blob() });
    expect((await making)?.name).toBe("a.zip");
    await vi.advanceTimersByTimeAsync(0);
    expect(slow.end).toHaveBeenCalledTimes(1);

    const broken = offered(() => Promise.reject(new Error("unavailable: /a")));
    expect(await broken.notices()[0]?.file?.()).toBeUndefined();
    expect(broken.notices().map(({ text }) => text)).toEqual(["Gone", "Nothing was downloaded: unavailable: /a"]);
    await broken.later();
    expect(broken.end).toHaveBeenCalledTimes(1);
  });
});
