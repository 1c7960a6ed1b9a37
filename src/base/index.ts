/**
 * What every folder may lean on.
 *
 * - *limit*: a number that decides when something is cut, refused or given up; all live in `limits`.
 * - *clock*, *random*, *ids*: time, chance and names, injected so that a run can be repeated.
 * - *hash*: SHA-256 in lower-case hex, the identity of contents.
 * - *fault*: one thing wrong with a definition; `DiscoveryError` carries them all at once.
 */
export { addressRefusal, isLoopback } from "./addressRule";
export { AsyncQueue } from "./asyncQueue";
export { systemClock, type Clock } from "./clock";
export { DiscoveryError, type DiscoveryFault } from "./discoveryError";
export { bytesFromHex, hexFromBytes, sha256Hex, sha256HexMany, sha256HexSync } from "./hashing";
export { sessionIds, ulid, type Ids } from "./ids";
export { canonicalJson, type JsonObject, type JsonValue } from "./json";
export { limits } from "./limits";
export { allowlistNames, nativeFileToolNames, type AllowlistName, type NativeFileToolName } from "./nativeToolNames";
export { nextTask } from "./nextTask";
export { readAhead } from "./readAhead";
export { seededRandom, type Random } from "./random";
export { reachability } from "./reachability";
