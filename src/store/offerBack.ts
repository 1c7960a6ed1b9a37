import { limits } from "../base";
import { messageFromError } from "./messageFromError";
import type { Notice, NoticeStore } from "./noticeStore";

/** What was taken away, and can be had back or as a file for a while. */
export interface TakenAway {
  readonly text: string;
  /** Has it back; `end` is then never called. */
  readonly undo: () => void;
  /** Makes the file of it; absent where nothing is lost. */
  readonly file?: Notice["file"];
  /** Lets it go for good. */
  readonly end: () => void;
}

/** Offers it back, and as a file, in a notice; when the time is over and no file is being made any more, it ends. */
export function offerBack(notices: NoticeStore, { text, undo, file, end }: TakenAway): void {
  const making = new Set<Promise<unknown>>();
  let isBack = false;
  const timer = setTimeout(() => {
    // A pointer may rest on the notice: what can no longer be undone is not offered.
    notices.getState().dismiss(offer);
    void Promise.all(making).then(() => isBack || end());
  }, limits.undoMs + 1_000);
  const made = (make: NonNullable<Notice["file"]>) => () => {
    const contents = make().catch((error: unknown) => {
      notices.getState().push({ tone: "bad", text: `Nothing was downloaded: ${messageFromError(error)}` });
      return undefined;
    });
    making.add(contents);
    return contents;
  };
  const offer = notices.getState().push({
    tone: "info",
    text,
    timeoutMs: limits.undoMs,
    action: {
      label: "Undo",
      run() {
        isBack = true;
        clearTimeout(timer);
        undo();
      },
    },
    ...(file === undefined ? {} : { file: made(file) }),
  });
}
