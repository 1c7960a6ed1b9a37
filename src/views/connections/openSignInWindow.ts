import type { SignInWindow } from "../../mcp";

const WIDTH = 520;
const HEIGHT = 680;

/**
 * Opens the window for a sign-in; to be called right in a click, else the browser keeps it shut. It begins with a page of
 * our own, and is led on when it is known where to. `undefined` where the browser does not allow it.
 */
export function openSignInWindow(): SignInWindow | undefined {
  const redirectUrl = new URL("sign-in.html", document.baseURI).href;
  const left = Math.max(0, window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - HEIGHT) / 2);
  const opened = window.open(redirectUrl, "", `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  if (opened === null) return undefined;
  return {
    redirectUrl,
    // Once it is elsewhere, isolation parts it from this page: it closes itself when it comes back.
    go: (url) => opened.location.replace(url),
    close: () => opened.close(),
  };
}
