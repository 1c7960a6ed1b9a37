import { seededRandom } from "../src/base";

const WORDS = "const return export function value index path tree entry await string number result file error".split(
  " ",
);

/** Files of about 2 KiB of words, a hundred to a directory, the same for the same count. */
export function sampleFiles(fileCount: number, sizeBytes = 2_048): [path: string, text: string][] {
  const random = seededRandom(`sample ${fileCount}`);
  return Array.from({ length: fileCount }, (_, index) => {
    let text = `// ${index}\n`;
    while (text.length < sizeBytes) text += WORDS[Math.floor(random() * WORDS.length)] + (random() < 0.1 ? "\n" : " ");
    return [`/src/part${Math.floor(index / 100)}/file${index}.ts`, text];
  });
}
