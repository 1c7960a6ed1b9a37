/**
 * Credentials and what keeps them from leaking.
 *
 * - *keyring*: the keys of one page, in memory only; each is bound to one origin and given to no other.
 * - *scrub*: replacing every known key, and its encoded forms, in a text about to be shown, kept or sent on.
 */
export { createKeyring, type Keyring, type TextScrubber } from "./createKeyring";
