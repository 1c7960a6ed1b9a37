import { GitError } from "./gitError";

/** The options a subcommand takes: how each is spelled, and whether a value follows it. */
export type GitOptionTable = Readonly<Record<string, GitOption>>;

export interface GitOption {
  readonly names: readonly string[];
  readonly takes?: "value";
}

export interface GitArguments {
  /** Names of the options given. */
  readonly given: ReadonlySet<string>;
  /** The values of an option in the order given. */
  readonly values: (option: string) => readonly string[];
  /** The last value of an option. */
  readonly value: (option: string) => string | undefined;
  /** Words before `--`. */
  readonly words: readonly string[];
  /** Words after `--`; absent without one. */
  readonly paths: readonly string[] | undefined;
}

/** @throws GitError `usage` that names what the subcommand takes */
export function gitArguments(verb: string, args: readonly string[], table: GitOptionTable): GitArguments {
  const reader = new ArgumentReader(verb, args, table);
  reader.readAll();
  const { found, words, paths } = reader;
  return {
    given: new Set(found.keys()),
    values: (option) => found.get(option) ?? [],
    value: (option) => found.get(option)?.at(-1),
    words,
    paths,
  };
}

class ArgumentReader {
  readonly found = new Map<string, string[]>();
  readonly words: string[] = [];
  paths: string[] | undefined;
  private at = 0;

  private readonly verb: string;
  private readonly args: readonly string[];
  private readonly table: GitOptionTable;

  constructor(verb: string, args: readonly string[], table: GitOptionTable) {
    this.verb = verb;
    this.args = args;
    this.table = table;
  }

  readAll(): void {
    while (this.at < this.args.length) {
      const word = this.args[this.at] as string;
      this.at += 1;
      if (word === "--") {
        this.paths = this.args.slice(this.at);
        return;
      }
      if (word.startsWith("--")) this.readLong(word);
      else if (word.startsWith("-") && word.length > 1) this.readShort(word);
      else this.words.push(word);
    }
  }

  private readLong(word: string): void {
    const equals = word.indexOf("=");
    const name = equals === -1 ? word : word.slice(0, equals);
    const [option, rule] = this.optionOf(name) ?? this.refuse(word);
    if (rule.takes === undefined) {
      if (equals !== -1) this.refuse(word);
      this.keep(option, "");
    } else this.keep(option, equals === -1 ? this.next(name) : word.slice(equals + 1));
  }

  /** `-am words`, `-n5` and `-5`, which is `-n 5`. */
  private readShort(word: string): void {
    const count = /^-(\d+)$/.exec(word)?.[1];
    if (count !== undefined && this.optionOf("-n") !== undefined) {
      this.keep(this.optionOf("-n")?.[0] ?? "", count);
      return;
    }
    const exact = this.optionOf(word);
    if (exact !== undefined) {
      this.keep(exact[0], exact[1].takes === undefined ? "" : this.next(word));
      return;
    }
    for (let index = 1; index < word.length; index += 1) {
      const name = `-${word.charAt(index)}`;
      const [option, rule] = this.optionOf(name) ?? this.refuse(word);
      if (rule.takes === "value") {
        const rest = word.slice(index + 1);
        this.keep(option, rest === "" ? this.next(name) : rest);
        return;
      }
      this.keep(option, "");
    }
  }

  private next(name: string): string {
    const value = this.args[this.at];
    this.at += 1;
    if (value === undefined) throw new GitError("usage", `error: option \`${name}' requires a value`);
    return value;
  }

  private keep(option: string, value: string): void {
    this.found.set(option, [...(this.found.get(option) ?? []), value]);
  }

  private optionOf(name: string): readonly [string, GitOption] | undefined {
    return Object.entries(this.table).find(([, rule]) => rule.names.includes(name));
  }

  private refuse(word: string): never {
    const names = Object.values(this.table).map(
      (rule) => rule.names.join(", ") + (rule.takes === undefined ? "" : " <value>"),
    );
    const taken = names.length === 0 ? "no options" : names.join(" · ");
    throw new GitError(
      "usage",
      `error: unknown option \`${word}'\nThe git of this host is isomorphic-git: \`git ${this.verb}\` takes ${taken}.`,
    );
  }
}
