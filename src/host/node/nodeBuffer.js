/* oxlint-disable eslint/no-unused-expressions, typescript/unbound-method, typescript/no-unnecessary-type-conversion, typescript/no-implied-eval, unicorn/no-thenable -- plain JavaScript of another engine, where nothing is typed */
// Runs inside QuickJS: text codecs and the part of Node's Buffer that scripts use most.
(host) => {
  class TextEncoder {
    encoding = "utf-8";
    encode(text = "") {
      return new Uint8Array(host.encode(String(text)));
    }
  }

  class TextDecoder {
    encoding = "utf-8";
    decode(bytes) {
      return bytes === undefined ? "" : host.decode(exact(bytes));
    }
  }

  const exact = (bytes) => {
    if (bytes instanceof ArrayBuffer) return bytes;
    return bytes.byteLength === bytes.buffer.byteLength
      ? bytes.buffer
      : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  };

  const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  const base64FromBytes = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 3) {
      const bits = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      for (let part = 0; part < 4; part += 1)
        text += at + part > bytes.length ? "=" : BASE64[(bits >> (18 - 6 * part)) & 63];
    }
    return text;
  };

  const bytesFromBase64 = (text) => {
    const clean = text
      .replace(/-/g, "+")
      .replace(/_/g, "/")
      .replace(/[^A-Za-z0-9+/]/g, "");
    const bytes = [];
    for (let at = 0; at < clean.length; at += 4) {
      const values = [0, 1, 2, 3].map((part) => Math.max(0, BASE64.indexOf(clean.charAt(at + part) || "A")));
      const bits = (values[0] << 18) | (values[1] << 12) | (values[2] << 6) | values[3];
      const count = Math.min(3, Math.floor(((clean.length - at) * 6) / 8));
      for (let part = 0; part < count; part += 1) bytes.push((bits >> (16 - 8 * part)) & 255);
    }
    return bytes;
  };

  const bytesOf = (text, encoding = "utf8") => {
    switch (encoding.toLowerCase()) {
      case "hex":
        return (text.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16));
      case "base64":
      case "base64url":
        return bytesFromBase64(text);
      case "latin1":
      case "binary":
      case "ascii":
        return Array.from(text, (letter) => letter.charCodeAt(0) & 255);
      default:
        return new Uint8Array(host.encode(text));
    }
  };

  class Buffer extends Uint8Array {
    static from(value, encoding, length) {
      if (typeof value === "string") return Buffer.from(bytesOf(value, encoding));
      if (value instanceof ArrayBuffer) return new Buffer(value, encoding, length);
      const list = Array.isArray(value?.data) ? value.data : value;
      const buffer = new Buffer(list.length);
      buffer.set(list);
      return buffer;
    }
    static alloc(size, fill = 0) {
      return new Buffer(size).fill(typeof fill === "string" ? fill.charCodeAt(0) : fill);
    }
    static allocUnsafe(size) {
      return new Buffer(size);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static byteLength(value, encoding) {
      return typeof value === "string" ? bytesOf(value, encoding).length : value.byteLength;
    }
    static concat(list, total = list.reduce((sum, part) => sum + part.length, 0)) {
      const whole = Buffer.alloc(total);
      let at = 0;
      for (const part of list) {
        whole.set(part.subarray(0, Math.max(0, total - at)), at);
        at += part.length;
      }
      return whole;
    }
    toString(encoding = "utf8", start = 0, end = this.length) {
      const bytes = this.subarray(start, end);
      switch (encoding.toLowerCase()) {
        case "hex":
          return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
        case "base64":
          return base64FromBytes(bytes);
        case "base64url":
          return base64FromBytes(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
        case "latin1":
        case "binary":
        case "ascii":
          return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
        default:
          return host.decode(exact(bytes));
      }
    }
    toJSON() {
      return { type: "Buffer", data: [...this] };
    }
    equals(other) {
      return this.length === other.length && this.every((byte, index) => byte === other[index]);
    }
    write(text, offset = 0) {
      const bytes = bytesOf(text);
      this.set(bytes, offset);
      return bytes.length;
    }
  }

  return {
    TextEncoder,
    TextDecoder,
    Buffer,
    exact,
    btoa: (text) => base64FromBytes(bytesOf(text, "latin1")),
    atob: (text) => Buffer.from(bytesFromBase64(text)).toString("latin1"),
  };
};
