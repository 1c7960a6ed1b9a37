/** Endings with what takes their place, as M. F. Porter's algorithm of 1980 has them, the longer of two first. */
type Endings = readonly (readonly [ending: string, instead: string])[];

const SECOND = endings(
  "ational:ate ization:ize iveness:ive fulness:ful ousness:ous tional:tion biliti:ble ation:ate alism:al aliti:al iviti:ive " +
    "ousli:ous entli:ent enci:ence anci:ance izer:ize abli:able alli:al ator:ate logi:log bli:ble eli:e",
);
const THIRD = endings("icate:ic ative: alize:al iciti:ic ical:ic ness: ful:");
const FOURTH = endings(
  "ement: ance: ence: able: ible: ment: sion:s tion:t ant: ent: ism: ate: iti: ous: ive: ize: al: er: ic: ou:",
);

/** A text has few different words; stems are asked for again and again. */
const known = new Map<string, string>();
const MAX_KNOWN = 50_000;

/** The stem of an English word in lower case, so that `parses`, `parsed` and `parsing` meet; other words stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let stemmed = known.get(word);
  if (stemmed === undefined) {
    stemmed = withoutFinal(withoutLongEnding(withFinalI(withoutEdOrIng(withoutPlural(word)))));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(word, stemmed);
  }
  return stemmed;
}

function withoutPlural(word: string): string {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEdOrIng(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const rest = word.replace(/(?:ed|ing)$/, "");
  if (rest === word || !shape(rest).includes("v")) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function withFinalI(word: string): string {
  const rest = word.slice(0, -1);
  return word.endsWith("y") && shape(rest).includes("v") ? `${rest}i` : word;
}

function withoutLongEnding(word: string): string {
  return withoutEnding(withoutEnding(withoutEnding(word, SECOND, 0), THIRD, 0), FOURTH, 1);
}

function withoutEnding(word: string, list: Endings, leastMeasure: number): string {
  const found = list.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const [ending, instead] = found;
  const rest = word.slice(0, word.length - ending.length);
  return measure(rest + (instead.length === 1 ? instead : "")) > leastMeasure ? rest + instead : word;
}

function withoutFinal(word: string): string {
  const rest = word.slice(0, -1);
  if (word.endsWith("e")) return measure(rest) > 1 || (measure(rest) === 1 && !endsShort(rest)) ? rest : word;
  return word.endsWith("ll") && measure(rest) > 1 ? rest : word;
}

/** How often vowels are followed by consonants. */
function measure(word: string): number {
  return shape(word).match(/v+c+/g)?.length ?? 0;
}

/** Whether it ends as `hop` does: with consonant, vowel, consonant, the last no `w`, `x` or `y`. */
function endsShort(word: string): boolean {
  return shape(word).endsWith("cvc") && !/[wxy]$/.test(word);
}

/** Its letters as consonants (c) and vowels (v); `y` is a vowel behind a consonant. */
function shape(word: string): string {
  let letters = "";
  for (const letter of word) {
    letters += /[aeiou]/.test(letter) || (letter === "y" && letters.endsWith("c")) ? "v" : "c";
  }
  return letters;
}

function endings(list: string): Endings {
  return list.split(" ").map((pair) => {
    const [ending = "", instead = ""] = pair.split(":");
    return [ending, instead] as const;
  });
}
