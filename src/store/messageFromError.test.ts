import { expect, test } from "vitest";
import { ElsewhereError, FileNotFoundError, PermissionError, QuotaError, UnavailableError } from "../fs";
import { messageFromError } from "./messageFromError";

test("an error is told with the way out, and with what the store itself said", () => {
  expect(
    [
      new FileNotFoundError("/a"),
      new QuotaError("/a"),
      new UnavailableError("/a"),
      new UnavailableError("/a", "The browser's storage for this project was cleared."),
      new ElsewhereError("/a", "The folder is no longer there."),
      new PermissionError("/a", "The server answered 403."),
      new Error("plain"),
      "no error at all",
    ].map(messageFromError),
  ).toEqual([
    "not found: /a",
    "storage full: /a. Delete files, sessions or projects to make room. Export first what should be kept.",
    "unavailable: /a. The browser does not give the stored data; reload the page, or export what is open.",
    "unavailable: /a. The browser's storage for this project was cleared. Copy or export what is still open before you reload the page.",
    "unavailable: /a. The folder is no longer there.",
    "permission needed: /a. The server answered 403.",
    "plain",
    "no error at all",
  ]);
});
