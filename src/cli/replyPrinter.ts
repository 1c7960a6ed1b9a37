import type { SessionEvent } from "../index";
import type { Terminal } from "./terminal";

/** Prints what an agent answers as it comes, a message on lines of its own; a person who waits is told of the rest. */
export function replyPrinter(terminal: Terminal): (event: SessionEvent) => Promise<void> {
  let printed = 0;
  let ofMessage = "";
  const print = async (text: string) => {
    if (text === "") return;
    // A blank line between a message and the next.
    if (ofMessage === "" && printed > 0) await terminal.write("\n");
    ofMessage += text;
    await terminal.write(text);
  };
  return async (event) => {
    if (event.type === "message.appended") await print(event.data.messageDelta);
    if (event.type === "message.completed") {
      // What did not come in pieces.
      await print(event.data.message.slice(ofMessage.length));
      if (ofMessage !== "" && !ofMessage.endsWith("\n")) await terminal.write("\n");
      if (ofMessage !== "") printed++;
      ofMessage = "";
    }
    if (terminal.isPersonThere && event.type === "actions.requested") {
      for (const { toolName, input } of event.data.actions) terminal.note(`· ${toolName} ${JSON.stringify(input)}\n`);
    }
    if (terminal.isPersonThere && event.type === "step.retried") terminal.note(`· once more: ${event.data.reason}\n`);
  };
}
