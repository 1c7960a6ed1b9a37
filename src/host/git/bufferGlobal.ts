import { Buffer } from "buffer/index.js";

// isomorphic-git works on Node's Buffer, which a worker of a page does not have.
(globalThis as { Buffer?: unknown }).Buffer ??= Buffer;
