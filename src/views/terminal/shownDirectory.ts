/** The host's root as shells show a home: `~`, and what lies below it. */
export function shownDirectory(path: string): string {
  return path === "/home/project" || path.startsWith("/home/project/")
    ? `~${path.slice("/home/project".length)}`
    : path;
}
