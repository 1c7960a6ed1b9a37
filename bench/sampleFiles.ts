import { seededRandom } from "../src/base";

const WORDS = "const return export function value index path tree entry await string number result file error".split(
  " ",
);

/** Files of about 2 KiB of words, a hundred to a directory, the same for the same count. */
export function sampleFiles(fileCount: number, sizeBytes = 2_048): [path: string, text: string][] {
  const random = seededRandom(`sample ${fileCount}`);
  return Array.from({ length: fileCount }, (_, index) => [samplePath(index), wordsOf(random, index, sizeBytes)]);
}

export function samplePath(index: number): string {
  return `/src/part${Math.floor(index / 100)}/file${index}.ts`;
}

/** As many as one likes, one after the other: what is written is not held. */
export function* streamedFiles(fileCount: number, sizeBytes = 2_048): Generator<[path: string, text: string]> {
  const random = seededRandom("streamed");
  const texts = Array.from({ length: 64 }, (_, index) => wordsOf(random, index, sizeBytes));
  for (let index = 0; index < fileCount; index++) yield [samplePath(index), `// ${index}\n${texts[index % 64] ?? ""}`];
}

function wordsOf(random: () => number, index: number, sizeBytes: number): string {
  let text = `// ${index}\n`;
  while (text.length < sizeBytes) text += WORDS[Math.floor(random() * WORDS.length)] + (random() < 0.1 ? "\n" : " ");
  return text;
}
