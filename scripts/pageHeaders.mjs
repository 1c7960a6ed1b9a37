/** Cross-origin isolation: every response of the page carries these (docs/hosting.md). */
export const isolationHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/**
 * What the built page may load and where it may connect. `connect-src` is wide because people name their own model
 * endpoints: it is no barrier against leaks (docs/hosting.md).
 */
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "worker-src 'self' blob:",
  "connect-src 'self' blob: data: https: http://localhost:* http://127.0.0.1:*",
  "frame-src 'self' blob: https://stackblitz.com https://*.webcontainer.io https://*.webcontainer-api.io",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
