import type { SessionEvent } from "../session";

/** What a list shows of an imported log, gathered as its events go by: nothing of them is kept. */
export class ImportedLook {
  /** The first word of a person. */
  message: string | undefined;
  /** The session it goes on from, and the branch it is, by the recording's names. */
  predecessor: string | undefined;
  branch: string | undefined;
  #isOpen = false;
  #status: "new" | "ready" | "input" | "ended" = "new";

  /** Nothing of an import runs: a log that breaks off in a turn was cut. */
  get status(): "new" | "ready" | "input" | "ended" | "cut" {
    return this.#isOpen ? "cut" : this.#status;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "session.started":
        this.predecessor = event.data.predecessor?.sessionId;
        break;
      case "import.source":
        this.branch = event.data.session?.branch;
        break;
      case "message.received":
        if (typeof event.data.message === "string" && event.data.message.trim() !== "")
          this.message ??= event.data.message;
        break;
      case "turn.started":
      case "input.resolved":
        this.#isOpen = true;
        break;
      case "turn.waiting":
        this.#isOpen = false;
        this.#status = "input";
        break;
      case "turn.completed":
      case "turn.failed":
      case "turn.cancelled":
      case "session.waiting":
        this.#isOpen = false;
        this.#status = "ready";
        break;
      case "session.completed":
      case "session.failed":
        this.#isOpen = false;
        this.#status = "ended";
        break;
      default:
    }
  }
}
