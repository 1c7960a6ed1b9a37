interface OpenLink {
  readonly href: string | undefined;
  /** Where its text begins in the line. */
  readonly start: number;
}

interface OpenList {
  readonly ordered: boolean;
  count: number;
}

/** Elements that stand on lines of their own, with an empty line around them. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body center details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hgroup html legend main ol p pre section summary table tbody tfoot thead ul"
  ).split(" "),
);

/** Elements that stand on lines of their own, close to their neighbours. */
const ROWS: ReadonlySet<string> = new Set("li dt dd tr caption option".split(" "));

/** Levels of lists and quotes that are shown: a page of nothing but levels would be all indentation. */
const DEEPEST = 12;

/** Writes elements as lines of text, told of them in order. */
export class HtmlTextWriter {
  #text = "";
  #line = "";
  /** Whether the last line written is close to one that follows it. */
  #isTight = false;
  #isRow = false;
  #isFirstCell = true;
  #marker: string | undefined;
  #heading = "";
  #quoted = 0;
  #preformatted = 0;
  #raw = "";
  #language = "";
  readonly #lists: OpenList[] = [];
  #link: OpenLink | undefined;

  open(name: string, attributes: Readonly<Record<string, string>>, href?: string): void {
    if (this.#preformatted > 0) {
      this.#openInPreformatted(name, attributes);
      return;
    }
    if (BLOCKS.has(name)) this.#flush(false);
    else if (ROWS.has(name)) this.#flush(true);
    switch (name) {
      case "br":
        this.#line = `${this.#line.trimEnd()}\n`;
        break;
      case "hr":
        this.#flush(false);
        this.#line = "---";
        this.#flush(false);
        break;
      case "img":
        if ((attributes["alt"] ?? "").trim() !== "") this.text(`[image: ${attributes["alt"]}]`);
        break;
      case "code":
      case "kbd":
      case "samp":
        this.#line += "`";
        break;
      case "a":
        // Links hold no links: one that was left open ends here.
        this.#endLink();
        this.#link = { href, start: this.#line.length };
        break;
      case "ul":
      case "ol":
        this.#lists.push({ ordered: name === "ol", count: Number(attributes["start"] ?? 1) - 1 });
        break;
      case "li":
        this.#beginItem();
        break;
      case "blockquote":
        this.#quoted++;
        break;
      case "tr":
        this.#isFirstCell = true;
        break;
      case "td":
      case "th":
        if (!this.#isFirstCell) this.#line = `${this.#line.trimEnd()} | `;
        this.#isFirstCell = false;
        break;
      case "pre":
        this.#preformatted = 1;
        this.#raw = "";
        this.#language = languageOf(attributes);
        break;
      default:
        if (/^h[1-6]$/.test(name)) this.#heading = `${"#".repeat(Number(name[1]))} `;
    }
  }

  text(text: string): void {
    if (this.#preformatted > 0) {
      this.#raw += text;
      return;
    }
    const plain = text.replaceAll(/[\s\u00a0]+/g, " ");
    this.#line += this.#line === "" || /\s$/.test(this.#line) ? plain.trimStart() : plain;
  }

  close(name: string): void {
    if (this.#preformatted > 0) {
      if (name === "pre") this.#endPreformatted();
      return;
    }
    switch (name) {
      case "code":
      case "kbd":
      case "samp":
        this.#line = `${this.#line.trimEnd()}\``;
        break;
      case "a":
        this.#endLink();
        break;
      case "ul":
      case "ol":
        this.#flush(true);
        this.#lists.pop();
        break;
      case "blockquote":
        this.#flush(false);
        this.#quoted = Math.max(0, this.#quoted - 1);
        break;
      default:
    }
    if (BLOCKS.has(name)) this.#flush(false);
    else if (ROWS.has(name)) this.#flush(true);
    if (/^h[1-6]$/.test(name)) this.#heading = "";
  }

  /** Everything written. */
  end(): string {
    if (this.#preformatted > 0) this.#endPreformatted();
    this.#flush(false);
    return this.#text;
  }

  #openInPreformatted(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === "br") this.#raw += "\n";
    else if (name === "code" && this.#language === "") this.#language = languageOf(attributes);
  }

  #endPreformatted(): void {
    const raw = this.#raw.replace(/^\n/, "").trimEnd();
    this.#preformatted = 0;
    if (raw.trim() === "") return;
    const fence = "`".repeat(Math.max(3, ...[...raw.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
    this.#write(`${fence}${this.#language}\n${raw}\n${fence}`, false);
  }

  #beginItem(): void {
    const list = this.#lists.at(-1);
    if (list !== undefined) list.count++;
    this.#marker = list?.ordered === true ? `${list.count}. ` : "- ";
  }

  #endLink(): void {
    this.#wrapLink();
    this.#link = undefined;
  }

  /** Puts the address behind the text of the open link; a link over several blocks has it behind the first. */
  #wrapLink(): void {
    const { href, start } = this.#link ?? { href: undefined, start: 0 };
    const text = this.#line.slice(start).trim();
    if (href === undefined || text === "") return;
    const space = /^\s/.test(this.#line.slice(start)) ? " " : "";
    if (text !== href) this.#line = `${this.#line.slice(0, start)}${space}[${text}](${href})`;
    this.#link = { href: undefined, start };
  }

  #flush(isRow: boolean): void {
    this.#wrapLink();
    const line = this.#line.trim();
    this.#line = "";
    if (this.#link !== undefined) this.#link = { ...this.#link, start: 0 };
    // A cell's bar or the marks of empty code alone say nothing.
    if (!/^[|\s`]*$/.test(line)) {
      this.#write(`${this.#heading}${line}`, isRow || this.#isRow);
      this.#heading = "";
    }
    this.#isRow = isRow;
  }

  #write(lines: string, isTight: boolean): void {
    const depth = Math.min(this.#lists.length, DEEPEST);
    const quote = "> ".repeat(Math.min(this.#quoted, DEEPEST));
    const marker = this.#marker;
    this.#marker = undefined;
    const inner = "  ".repeat(marker === undefined ? depth : Math.max(0, depth - 1));
    const later = "  ".repeat(depth);
    const block = lines
      .split("\n")
      .map((line, index) => `${quote}${index === 0 ? `${inner}${marker ?? ""}` : later}${line}`.trimEnd())
      .join("\n");
    const isClose = (isTight && this.#isTight) || (depth > 0 && this.#isTight);
    this.#text += this.#text === "" ? block : `${isClose ? "\n" : "\n\n"}${block}`;
    this.#isTight = isTight || depth > 0;
  }
}

function languageOf(attributes: Readonly<Record<string, string>>): string {
  return /\blang(?:uage)?-([\w+#.-]+)/.exec(attributes["class"] ?? "")?.[1] ?? "";
}
