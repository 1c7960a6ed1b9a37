/** Why this page may not send a request to an address, and what a person can do about it. */
export interface AddressRefusal {
  readonly message: string;
  readonly fix: string;
}

/**
 * What the policy the page is served with (`connect-src`, docs/hosting.md) keeps it from: all but its own origin, https,
 * `localhost` and `127.0.0.1`. A browser hides that it was the policy, so it is told before a request is made.
 * `undefined` where the address may be reached, and outside a browser.
 */
export function addressRefusal(url: string, pageOrigin = ownOrigin()): AddressRefusal | undefined {
  const address = new URL(url);
  const { protocol, hostname, port, origin, pathname } = address;
  if (pageOrigin === undefined || origin === pageOrigin || protocol === "https:") return undefined;
  if (protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1")) return undefined;
  const here = `http://localhost${port === "" ? "" : `:${port}`}${pathname.replace(/\/$/, "")}`;
  return {
    message: `This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to ${origin}.`,
    fix: isLoopback(hostname)
      ? `Use ${here} instead.`
      : `Serve it over https, or bring it to this machine with a tunnel and use ${here}. For example: ` +
        `ssh -N -L ${port || "80"}:localhost:${port || "80"} ${hostname.replace(/^\[|\]$/g, "")}`,
  };
}

/** Whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function ownOrigin(): string | undefined {
  return (globalThis as { location?: { origin: string } }).location?.origin;
}
