import type { ImportedSession } from "../trajectory";
import { failure, usageError } from "./commandError";

/**
 * The session that is meant, by its number from 1 or its id, and those that work for it; all of the file where none is named.
 * @throws CommandError where there is none of that name
 */
export function chosenSessions(
  sessions: readonly ImportedSession[],
  name: string | undefined,
): readonly ImportedSession[] {
  if (name === undefined) return sessions;
  const byNumber = /^[1-9]\d{0,5}$/.test(name) ? sessions[Number(name) - 1] : undefined;
  const main = sessions.find(({ id }) => id === name) ?? byNumber;
  if (main === undefined)
    throw usageError(`There is no session ${name}: --session takes an id, or a number from 1 to ${sessions.length}.`);
  const chosen = [main];
  for (const { id } of chosen)
    chosen.push(...sessions.filter((each) => each.parent?.sessionId === id && !chosen.includes(each)));
  return chosen;
}

/** The one session a command is about. @throws CommandError where the file holds none */
export function mainSession(sessions: readonly ImportedSession[]): ImportedSession {
  const [main] = sessions;
  if (main === undefined) throw failure("There is no session in it.");
  return main;
}
