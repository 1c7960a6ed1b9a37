/** Programs that only read, with the arguments by which they would do more. */
const PROGRAMS: Readonly<Record<string, RegExp | undefined>> = {
  cat: undefined,
  // A `w`, `e` or in-place edit writes; only printing of lines is taken.
  sed: undefined,
  nl: undefined,
  head: undefined,
  tail: /^(?:-f|-F|--follow)/,
  ls: undefined,
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  rg: /^--(?:pre|hostname-bin)/,
  grep: undefined,
  egrep: undefined,
  fgrep: undefined,
  wc: undefined,
  pwd: undefined,
  cd: undefined,
  echo: undefined,
  true: undefined,
  sort: /^(?:-[a-zA-Z]*o|--output)/,
  uniq: undefined,
  cut: undefined,
};

/** Programs that a command must hold one of: others of the table only help them. */
const READING = /^(?:cat|sed|nl|head|tail|ls|find|rg|e?grep|fgrep|wc|pwd)$/;

export interface ReadOnlyCommand {
  /** Words that may be paths, in their order, as they are written. */
  readonly paths: readonly string[];
  /** Whether it looks at directories and so at files nobody named. */
  readonly looksAround: boolean;
}

/**
 * A shell command as what it reads, where it is sure that it only reads: programs of the table joined by pipes, `&&`, `||`
 * and `;`, without substitution, assignment, background or redirection other than of errors to nowhere. `undefined` else.
 */
export function readOnlyCommand(command: string): ReadOnlyCommand | undefined {
  const simple = simpleCommands(command);
  if (simple === undefined || !simple.some(([program]) => program !== undefined && READING.test(program)))
    return undefined;
  const paths: string[] = [];
  let looksAround = false;
  for (const [program = "", ...args] of simple) {
    if (!Object.hasOwn(PROGRAMS, program)) return undefined;
    const refused = PROGRAMS[program];
    if (refused !== undefined && args.some((arg) => refused.test(arg))) return undefined;
    if (program === "sed" && !isPrinting(args)) return undefined;
    // Its second operand is the file it writes.
    if (program === "uniq" && args.filter((arg) => !arg.startsWith("-")).length > 1) return undefined;
    const named = args.filter((arg) => !arg.startsWith("-") && program !== "echo");
    const operands = /^(?:sed|rg|e?grep|fgrep)$/.test(program) ? named.slice(1) : named;
    if (program !== "cd") paths.push(...operands.filter((operand) => !/^\d+$/.test(operand)));
    const isRecursive = args.some((arg) => /^-[a-zA-Z]*[rR]/.test(arg) || arg === "--recursive");
    if (
      /^(?:ls|find)$/.test(program) ||
      (program === "rg" && operands.length === 0) ||
      (program.endsWith("grep") && isRecursive)
    )
      looksAround = true;
    if (program === "rg" && operands.some((operand) => !/\.\w+$/.test(operand))) looksAround = true;
    if (args.some((arg) => /[*?]/.test(arg) && /^(?:cat|head|tail|wc|nl)$/.test(program))) looksAround = true;
  }
  return { paths, looksAround };
}

/** `sed -n '1,20p' file`: only addresses and printing. */
function isPrinting(args: readonly string[]): boolean {
  const [flag, script, ...files] = args;
  return (
    flag === "-n" &&
    script !== undefined &&
    // Another script, or an edit in place.
    files.every((file) => !file.startsWith("-")) &&
    /^(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?p(?:;(?:\d+|\$)(?:,(?:\d+|\$))?p)*$/.test(script)
  );
}

/** The words of each simple command; `undefined` for anything a reader of words cannot be sure of. */
function simpleCommands(command: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  const text = command.trim().replaceAll(/\s2>\s?(?:\/dev\/null|&1)(?=\s|$|[|;&)])/g, " ");
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    if (letter === "'") {
      const end = text.indexOf("'", index + 1);
      if (end < 0) return undefined;
      word = (word ?? "") + text.slice(index + 1, end);
      index = end;
    } else if (letter === '"') {
      const end = closingQuote(text, index + 1);
      const inner = end < 0 ? "$" : text.slice(index + 1, end);
      if (/[$`]/.test(inner)) return undefined;
      word = (word ?? "") + inner.replaceAll(/\\(["\\])/g, "$1");
      index = end;
    } else if (letter === "\\") {
      const next = text.charAt(++index);
      if (next !== "\n") word = (word ?? "") + next;
    } else if (/[|;\n]/.test(letter) || (letter === "&" && text.charAt(index + 1) === "&")) {
      endWord();
      if (letter === "&" || (letter === "|" && text.charAt(index + 1) === "|")) index++;
      if (commands.at(-1)?.length === 0) return undefined;
      commands.push([]);
    } else if (/[$`<>(){}&#!]/.test(letter) || (letter === "=" && commands.at(-1)?.length === 0)) return undefined;
    else if (/\s/.test(letter)) endWord();
    else word = (word ?? "") + letter;
  }
  endWord();
  if (commands.at(-1)?.length === 0) commands.pop();
  return commands.length === 0 ? undefined : commands;
}

function closingQuote(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    if (text.charAt(index) === "\\") index++;
    else if (text.charAt(index) === '"') return index;
  }
  return -1;
}
