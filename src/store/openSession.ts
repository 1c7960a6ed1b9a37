import type { KeptBinding } from "./boundAgent";
import { SessionFeed } from "./sessionFeed";
import type { SessionRun } from "./sessionRun";
import type { SessionRunner } from "./sessionStoreState";
import { UntoldChanges } from "./sessionTreeTeller";

/** A session that is shown, or still runs while another is shown. */
export class OpenSession {
  readonly id: string;
  readonly feed = new SessionFeed();
  /** Ends reading a log that nobody looks at any more. */
  readonly closing = new AbortController();
  /** What a person does to the tree while it is open. */
  readonly untold = new UntoldChanges();
  /** What its turns leave to the next. */
  readonly kept: KeptBinding = {};
  run: SessionRun | undefined;
  /** Runs and reads of the log, one after the other. */
  work: Promise<void> = Promise.resolve();

  constructor(id: string) {
    this.id = id;
  }

  get runner(): SessionRunner {
    if (this.run !== undefined) return "this-tab";
    return this.feed.state.status === "running" ? "another-tab" : "nobody";
  }
}
