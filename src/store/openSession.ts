import type { KeptBinding } from "./boundAgent";
import type { ForkRecording } from "./forkSessionState";
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
  /** Of a fork: what speaks in it before the model does. */
  recording: ForkRecording | undefined;
  run: SessionRun | undefined;
  /** Runs and reads of the log, one after the other. */
  work: Promise<void> = Promise.resolve();

  constructor(id: string) {
    this.id = id;
  }

  /** Whether it runs on files of its own, which no change of the mounts is about. */
  get isFork(): boolean {
    return this.feed.state.started?.playground?.fork !== undefined;
  }

  get runner(): SessionRunner {
    if (this.run !== undefined) return "this-tab";
    return this.feed.state.status === "running" ? "another-tab" : "nobody";
  }
}
