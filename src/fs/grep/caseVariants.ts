/** Characters that fold to a letter which does not map back to them. */
const EXTRA: Record<string, number> = { k: 0x212a, s: 0x017f, å: 0x212b, ω: 0x2126, ß: 0x1e9e, μ: 0xb5, θ: 0x3d1 };

/** The codes that are equal to a code when case is ignored, itself among them. */
export function caseVariants(code: number): number[] {
  const character = String.fromCodePoint(code);
  const lower = singleCode(character.toLowerCase()) ?? code;
  const upper = singleCode(character.toUpperCase()) ?? code;
  const variants = new Set([code, lower, upper]);
  const extra = EXTRA[String.fromCodePoint(lower)];
  if (extra !== undefined) variants.add(extra);
  return [...variants];
}

function singleCode(text: string): number | undefined {
  const code = text.codePointAt(0);
  return code !== undefined && String.fromCodePoint(code) === text ? code : undefined;
}
