/** Where the command line reads and writes: the process's own streams, or those of a test. */
export interface Terminal {
  /** Directory that relative paths begin at. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The results and nothing else. Resolves when they were taken; at once, and silently, when nobody reads any more. */
  write(text: string): Promise<void>;
  /** Errors, questions and notes. */
  note(text: string): void;
  /** All that is piped in. */
  readInput(): Promise<string>;
  /** Whether a person sits before it, who can be asked. */
  readonly isPersonThere: boolean;
  /** What a person answers; `undefined` when the input ends. */
  ask(question: string): Promise<string | undefined>;
  /** Fires when the person stops the program, or nobody reads the output any more. */
  readonly signal: AbortSignal;
}
