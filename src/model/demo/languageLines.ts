/** Lines of which language are counted, and the words that name none. */
export interface LanguageLines {
  /** For Grep: the files of those languages. */
  readonly glob?: string;
  /** The languages, as the person wrote them. */
  readonly languages?: string;
  readonly ignored?: string;
}

const ENDINGS: Readonly<Record<string, string>> = {
  c: "c,h",
  css: "css",
  csv: "csv",
  go: "go",
  html: "html,htm",
  java: "java",
  javascript: "js,jsx,mjs,cjs",
  js: "js,jsx,mjs,cjs",
  json: "json",
  markdown: "md,mdx",
  md: "md,mdx",
  python: "py",
  ruby: "rb",
  rust: "rs",
  scss: "scss",
  shell: "sh",
  sql: "sql",
  svg: "svg",
  toml: "toml",
  ts: "ts,tsx,mts,cts",
  tsx: "tsx",
  typescript: "ts,tsx,mts,cts",
  xml: "xml",
  yaml: "yml,yaml",
  yml: "yml,yaml",
};

/** Words around a count of lines that narrow nothing. */
const PLAIN =
  /^(?:count|how|many|what|number|give|tell|me|of|the|all|a|an|is|are|was|were|there|in|inside|across|from|for|to|at|under|total|altogether|overall|line|lines|loc|code|source|sources|text|file|files|folder|directory|project|it|its|that|this|these|those|they|them|each|every|and|or|do|does|i|we|you|have|has|had|got|hold|holds|contain|contains|exist|please|now|here|together|long)$/i;

/** What a count of lines is about, from its words without the places. */
export function languageLines(words: string): LanguageLines {
  const named: string[] = [];
  const ignored: string[] = [];
  for (const word of words.match(/[\p{L}\p{N}+#_\uE000\uE001'’-]+/gu) ?? []) {
    if (Object.hasOwn(ENDINGS, word.toLowerCase())) named.push(word);
    else if (!PLAIN.test(word)) ignored.push(word);
  }
  const endings = new Set(named.flatMap((word) => ENDINGS[word.toLowerCase()]?.split(",") ?? []));
  const [only] = endings;
  return {
    ...(only === undefined
      ? {}
      : { glob: endings.size === 1 ? `*.${only}` : `*.{${[...endings].join(",")}}`, languages: named.join(" and ") }),
    ...(ignored.length > 0 ? { ignored: ignored.join(" ") } : {}),
  };
}
