/** The first `characters` code points; the text itself when it has no more. */
export function firstCharacters(text: string, characters: number): string {
  return text.slice(0, indexOfCharacter(text, characters));
}

/** Code points, so that an emoji is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) index += characterLength(text, index);
  return count;
}

/** The longest start of `text` of at most `bytes` bytes in UTF-8, ending on a code point. */
export function firstBytes(text: string, bytes: number): string {
  let index = 0;
  for (let used = 0; index < text.length;) {
    const length = characterLength(text, index);
    used += characterBytes(text, index);
    if (used > bytes) break;
    index += length;
  }
  return text.slice(0, index);
}

/** Bytes of `text` in UTF-8. */
export function byteCount(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += characterLength(text, index)) bytes += characterBytes(text, index);
  return bytes;
}

/** Index in UTF-16 units after `characters` code points from `from` on. */
export function indexOfCharacter(text: string, characters: number, from = 0): number {
  let index = from;
  for (let count = 0; count < characters && index < text.length; count++) index += characterLength(text, index);
  return Math.min(index, text.length);
}

/** The nearest index at or before `index` that does not part a surrogate pair. */
export function characterStart(text: string, index: number): number {
  const inPair = index > 0 && isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1));
  return inPair ? index - 1 : index;
}

function characterLength(text: string, index: number): 1 | 2 {
  return isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1)) ? 2 : 1;
}

function characterBytes(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return characterLength(text, index) === 2 ? 4 : 3;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
