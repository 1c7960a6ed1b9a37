/** Milliseconds since 1970. Injected wherever time is told, so that a run can be repeated. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
