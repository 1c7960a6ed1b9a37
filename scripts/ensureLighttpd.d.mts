export function findServer(name: string): string | undefined;
export function findLighttpd(): string | undefined;
export function ensureLighttpd(): string | undefined;
