import { GitError } from "./gitError";
import type { GitRun } from "./gitRun";

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Minutes to add to the local time for UTC, as `Date` tells them. */
  readonly timezoneOffset: number;
}

/** Who writes: `GIT_AUTHOR_*` or `GIT_COMMITTER_*`, then `user.name` and `user.email`. @throws GitError `fatal` when nobody is named */
export async function gitIdentity(run: GitRun, role: "AUTHOR" | "COMMITTER"): Promise<GitIdentity> {
  const { env } = run.context;
  const name = env[`GIT_${role}_NAME`] ?? (await run.setting("user.name"));
  const email = env[`GIT_${role}_EMAIL`] ?? (await run.setting("user.email")) ?? env["EMAIL"];
  if (name === undefined || email === undefined) throw new GitError("fatal", unknownIdentity(role));
  return { name, email, ...gitDate(env[`GIT_${role}_DATE`]) };
}

function gitDate(text: string | undefined): { timestamp: number; timezoneOffset: number } {
  const raw = /^@?(\d+)(?: ([+-])(\d\d)(\d\d))?$/.exec(text ?? "");
  if (raw !== null) {
    const minutes = Number(raw[3] ?? 0) * 60 + Number(raw[4] ?? 0);
    return { timestamp: Number(raw[1]), timezoneOffset: raw[2] === "-" || minutes === 0 ? minutes : -minutes };
  }
  const date = text === undefined ? new Date() : new Date(text);
  if (Number.isNaN(date.getTime())) throw new GitError("fatal", `fatal: invalid date format: ${text ?? ""}`);
  return {
    timestamp: Math.floor(date.getTime() / 1000),
    timezoneOffset: text === undefined ? date.getTimezoneOffset() : offsetIn(text),
  };
}

function offsetIn(text: string): number {
  const zone = /([+-])(\d\d):?(\d\d)$/.exec(text);
  if (zone === null) return 0;
  const minutes = Number(zone[2]) * 60 + Number(zone[3]);
  return zone[1] === "-" ? minutes : 0 - minutes;
}

function unknownIdentity(role: "AUTHOR" | "COMMITTER"): string {
  return [
    `${role === "AUTHOR" ? "Author" : "Committer"} identity unknown`,
    "",
    "*** Please tell me who you are.",
    "",
    "Run",
    "",
    '  git config --global user.email "you@example.com"',
    '  git config --global user.name "Your Name"',
    "",
    "to set your account's default identity.",
    "Omit --global to set the identity only in this repository.",
    "",
    "fatal: unable to auto-detect email address",
  ].join("\n");
}
