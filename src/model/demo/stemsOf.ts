/** Words cut to what their forms share: `reopening` and `reopen` both hold `reopen`. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words
    .filter((word) => !/^(?:the|and|for|that|this|with|about|todo|fixme|one|from|not)$/.test(word))
    .map((word) => (word.length > 5 ? word.replace(/(?:ings?|ed|es|s|ion)$/, "") : word));
}
