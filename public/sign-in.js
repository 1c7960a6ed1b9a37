// Where a sign-in comes back to (docs/connections.md, section 3): passes what it was given to the page that asked, on a
// channel that only pages of this origin hear, and takes it out of the address. It keeps nothing and sends nothing elsewhere.
const CHANNEL = "rootscope-sign-in";
/** Milliseconds the page that asked gets to take the answer. */
const ANSWER_MS = 3_000;

const say = (text) => {
  document.querySelector("[role=status]").textContent = text;
};

const { search } = location;
const state = new URLSearchParams(search).get("state");
if (state !== null) {
  history.replaceState(null, "", location.pathname);
  const channel = new BroadcastChannel(CHANNEL);
  const late = setTimeout(
    () => say("Nobody waits for this sign-in any more. Close this window, go back to Rootscope and sign in again."),
    ANSWER_MS,
  );
  channel.addEventListener("message", ({ data }) => {
    if (data?.taken !== state) return;
    clearTimeout(late);
    say("Done. This window can be closed.");
    window.close();
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
  channel.postMessage({ search });
}
