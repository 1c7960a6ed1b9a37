/** Who runs a session: a Web Lock each, given back by a tab that dies. */
export interface SessionLocks {
  /** `undefined` while somebody else has it, in this tab or another. The result gives it back. */
  take(sessionId: string): Promise<(() => void) | undefined>;
  releaseAll(): void;
}

export function sessionLocks(projectName: string, isShared: boolean): SessionLocks {
  const held = new Map<string, () => void>();

  async function take(sessionId: string): Promise<(() => void) | undefined> {
    if (held.has(sessionId)) return undefined;
    // Before anything is awaited, so that of two calls in this tab one wins.
    held.set(sessionId, () => undefined);
    const unlock = await lockAcrossTabs(isShared, `rootscope/session/${projectName}/${sessionId}`);
    if (unlock === undefined) {
      held.delete(sessionId);
      return undefined;
    }
    const release = () => {
      if (held.get(sessionId) !== release) return;
      held.delete(sessionId);
      unlock();
    };
    held.set(sessionId, release);
    return release;
  }

  return {
    take,
    releaseAll: () => {
      for (const release of held.values()) release();
    },
  };
}

function lockAcrossTabs(isShared: boolean, name: string): Promise<(() => void) | undefined> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!isShared || locks === undefined) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(undefined);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}
