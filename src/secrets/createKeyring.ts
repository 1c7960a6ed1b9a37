import { limits } from "../base";
import { encodedForms } from "./encodedForms";

/** What stands where a key was. */
const REMOVED_KEY = "[key removed]";

/** The keys of one page, in memory only (docs/models.md, Keys). */
export interface Keyring {
  /**
   * Binds a key to the origin of `url`, in place of the one it had; an empty key forgets it. Keys of one origin that serve
   * different ends are told apart by `use`.
   * @throws TypeError when `url` is not an absolute URL
   */
  set(url: string, key: string, use?: string): void;
  /** The key bound to exactly the origin of `url`; `undefined` for any other origin and for what is no URL. */
  get(url: string, use?: string): string | undefined;
  has(url: string, use?: string): boolean;
  /** Forgets a key of one origin, or every key. Forgotten keys are still scrubbed. */
  forget(url?: string, use?: string): void;
  /** Forgets the key of the old address when the new one has another origin; to be called when a base URL changes. */
  addressChanged(oldUrl: string, newUrl: string): void;
  /** The text with every key this ring ever held, and its base64, URL and JSON forms, replaced. */
  scrub(text: string): string;
  /** Scrubs a text that comes in pieces, a key cut by them included. One for each text. */
  textScrubber(): TextScrubber;
}

/** A text in pieces, without keys. */
export interface TextScrubber {
  /** What can be passed on now; what may be the beginning of a key is held back for the next piece. */
  push(piece: string): string;
  /** What was held back, at the end of the text. */
  end(): string;
}

export function createKeyring(): Keyring {
  const keys = new Map<string, string>();
  // Longest first, so that a form that contains another is replaced whole.
  let forms: readonly string[] = [];

  const remember = (key: string): void => {
    if (key.length < limits.scrubbedKeyCharacters) return;
    forms = [...new Set([...forms, ...encodedForms(key)])].toSorted((a, b) => b.length - a.length);
  };
  const forget = (url?: string, use?: string): void => {
    if (url === undefined) keys.clear();
    else keys.delete(placeOf(url, use));
  };

  const scrub = (text: string): string => forms.reduce((rest, form) => rest.replaceAll(form, REMOVED_KEY), text);

  return {
    set(url, key, use) {
      const place = placeOf(new URL(url).href, use);
      const trimmed = key.trim();
      if (trimmed === "") {
        keys.delete(place);
        return;
      }
      keys.set(place, trimmed);
      remember(trimmed);
    },
    get: (url, use) => keys.get(placeOf(url, use)),
    has: (url, use) => keys.has(placeOf(url, use)),
    forget,
    addressChanged(oldUrl, newUrl) {
      if (originOf(oldUrl) !== originOf(newUrl)) forget(oldUrl);
    },
    scrub,
    textScrubber() {
      let held = "";
      return {
        push(piece) {
          const text = scrub(held + piece);
          const passed = text.length - heldLength(text, forms);
          held = text.slice(passed);
          return text.slice(0, passed);
        },
        end() {
          const rest = held;
          held = "";
          return rest;
        },
      };
    },
  };
}

/** Characters at the end of the text that may be the beginning of a form. */
function heldLength(text: string, forms: readonly string[]): number {
  const longest = Math.min(text.length, (forms[0]?.length ?? 0) - 1);
  for (let length = longest; length > 0; length--) {
    const end = text.slice(-length);
    if (forms.some((form) => form.startsWith(end))) return length;
  }
  return 0;
}

/** Where a key is kept; an origin holds no space. */
function placeOf(url: string, use = ""): string {
  return `${originOf(url) ?? ""} ${use}`;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
