/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: what `console.log` shows of a value, in the manner of Node's `util.inspect`.
(() => {
  const LINE = 72;
  const ITEMS = 100;

  const keyText = (key) => {
    if (typeof key === "symbol") return `[${key.toString()}]`;
    return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
  };

  const quoted = (text) => {
    const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : text.includes("`") ? "'" : "`";
    const escaped = text.replace(
      /[\\\n\t\r\b\f\v]/g,
      (letter) =>
        ({ "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v" })[letter],
    );
    return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
  };

  const primitive = (value) => {
    if (typeof value === "string") return quoted(value);
    if (typeof value === "bigint") return `${value}n`;
    if (Object.is(value, -0)) return "-0";
    return String(value);
  };

  const functionText = (value) => {
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    const name = value.name;
    if (isClass) return `[class ${name || "(anonymous)"}]`;
    const kind = value.constructor && value.constructor.name !== "Function" ? value.constructor.name : "Function";
    return name ? `[${kind}: ${name}]` : `[${kind} (anonymous)]`;
  };

  const errorText = (error) => {
    const head = `${error.name ?? "Error"}${error.message ? `: ${error.message}` : ""}`;
    const stack = typeof error.stack === "string" ? error.stack.trimEnd() : "";
    return stack === "" ? `[${head}]` : `${head}\n${stack}`;
  };

  const prefixOf = (value, plain) => {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) return "[Object: null prototype] ";
    const name = prototype.constructor?.name ?? plain;
    return name === plain ? "" : `${name} `;
  };

  const joined = (open, parts, close, indent) => {
    if (parts.length === 0) return open + close;
    const line = `${open} ${parts.join(", ")} ${close}`;
    const isShort = parts.reduce((sum, part) => sum + part.length + 2, open.length) + indent <= LINE + 4;
    if (isShort && !line.includes("\n")) return line;
    const pad = " ".repeat(indent + 2);
    return `${open}\n${parts.map((part) => pad + part).join(",\n")}\n${" ".repeat(indent)}${close}`;
  };

  const inspect = (value, options = {}) =>
    show(value, { depth: options.depth === null ? Infinity : (options.depth ?? 2), seen: [], indent: 0 });

  const show = (value, at) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return primitive(value);
    if (at.seen.includes(value)) return "[Circular *1]";
    const own = Object.keys(value).concat(
      Object.getOwnPropertySymbols(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)),
    );
    if (typeof value === "function" && own.length === 0) return functionText(value);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Error) {
      const extra = own.filter((key) => key !== "stack" && key !== "message");
      const text = errorText(value);
      return extra.length === 0
        ? text
        : `${text} ${joined("{", pairs(value, extra, deeper(value, at)), "}", at.indent)}`;
    }
    if (at.seen.length > at.depth)
      return Array.isArray(value) ? "[Array]" : `[${prefixOf(value, "").trim() || "Object"}]`;
    return structure(value, own, deeper(value, at), at.indent);
  };

  const deeper = (value, at) => ({ depth: at.depth, seen: [...at.seen, value], indent: at.indent + 2 });

  const pairs = (value, keys, at) =>
    keys.map((key) => {
      const { get, set, value: held } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      const shown = get && set ? "[Getter/Setter]" : get ? "[Getter]" : set ? "[Setter]" : show(held, at);
      return `${keyText(key)}: ${shown}`;
    });

  const cut = (parts, total) =>
    total > ITEMS ? [...parts, `... ${total - ITEMS} more item${total - ITEMS === 1 ? "" : "s"}`] : parts;

  const structure = (value, own, at, indent) => {
    if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      if (value instanceof DataView) return "DataView {}";
      const isBuffer = globalThis.Buffer !== undefined && value instanceof globalThis.Buffer;
      if (isBuffer)
        return `<Buffer${Array.from(value.slice(0, 50), (byte) => ` ${byte.toString(16).padStart(2, "0")}`).join("")}${value.length > 50 ? ` ... ${value.length - 50} more bytes` : ""}>`;
      const items = Array.from(Array.prototype.slice.call(value, 0, ITEMS), (item) => show(item, at));
      for (let index = 0; index < items.length; index += 1)
        if (Array.isArray(value) && !(index in value)) items[index] = "<empty item>";
      const extra = own.filter((key) => typeof key === "symbol" || !/^\d+$/.test(key));
      const open =
        Array.isArray(value) && prefixOf(value, "Array") === ""
          ? "["
          : `${value.constructor?.name ?? "Array"}(${value.length}) [`;
      return joined(
        open,
        [...cut(items, value.length), ...(ArrayBuffer.isView(value) ? [] : pairs(value, extra, at))],
        "]",
        indent,
      );
    }
    if (value instanceof Map)
      return joined(
        `Map(${value.size}) {`,
        cut(
          [...value].slice(0, ITEMS).map(([key, item]) => `${show(key, at)} => ${show(item, at)}`),
          value.size,
        ),
        "}",
        indent,
      );
    if (value instanceof Set)
      return joined(
        `Set(${value.size}) {`,
        cut(
          [...value].slice(0, ITEMS).map((item) => show(item, at)),
          value.size,
        ),
        "}",
        indent,
      );
    if (value instanceof Promise) return "Promise { ... }";
    if (value instanceof ArrayBuffer) return `ArrayBuffer { byteLength: ${value.byteLength} }`;
    const open = typeof value === "function" ? `${functionText(value)} {` : `${prefixOf(value, "Object")}{`;
    return joined(open, pairs(value, own, at), "}", indent);
  };

  const format = (...values) => {
    const [first, ...rest] = values;
    if (typeof first !== "string")
      return values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ");
    const text = first.replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === "%%") return rest.length === values.length - 1 && values.length === 1 ? "%%" : "%";
      if (rest.length === 0) return mark;
      const value = rest.shift();
      if (mark === "%s")
        return typeof value === "string"
          ? value
          : typeof value === "object" && value !== null
            ? inspect(value, { depth: 0 })
            : primitive(value);
      if (mark === "%d") return typeof value === "bigint" ? `${value}n` : String(Number(value));
      if (mark === "%i") return String(Number.parseInt(value, 10));
      if (mark === "%f") return String(Number.parseFloat(value));
      if (mark === "%j") return JSON.stringify(value);
      return mark === "%c" ? "" : inspect(value, { depth: 4 });
    });
    return [text, ...rest.map((value) => (typeof value === "string" ? value : inspect(value)))].join(" ");
  };

  return { inspect, format };
})();
