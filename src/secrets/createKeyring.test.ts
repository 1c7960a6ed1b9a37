import { describe, expect, it } from "vitest";
import { createKeyring } from "./createKeyring";

const KEY = "sk-canary/+?&=0123456789~é";

describe("createKeyring", () => {
  it("gives a key to its own origin only, whatever the path", () => {
    const keyring = createKeyring();
    keyring.set("https://api.example.com/v1", KEY);
    expect([
      keyring.get("https://api.example.com/other"),
      keyring.get("https://api.example.com:8443/v1"),
      keyring.get("http://api.example.com/v1"),
      keyring.get("https://example.com/v1"),
      keyring.get("not a url"),
    ]).toEqual([KEY, undefined, undefined, undefined, undefined]);
  });

  it("keeps keys of one origin apart by what they are for", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example/v1", "model-key-1");
    keyring.set("https://a.example/mcp", "server-key-2", "mcp");
    keyring.forget("https://a.example", "mcp");
    keyring.set("https://a.example/mcp", "server-key-3", "mcp");
    keyring.forget("https://a.example");
    expect([keyring.get("https://a.example"), keyring.get("https://a.example", "mcp")]).toEqual([
      undefined,
      "server-key-3",
    ]);
    expect(keyring.scrub("model-key-1 server-key-2 server-key-3")).toBe("[key removed] [key removed] [key removed]");
    expect(keyring.has("no address", "mcp")).toBe(false);
  });

  it("forgets the key when the base URL moves to another origin and keeps it when only the path changes", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example/v1", KEY);
    keyring.addressChanged("https://a.example/v1", "https://a.example/v2");
    expect(keyring.has("https://a.example")).toBe(true);
    keyring.addressChanged("https://a.example/v2", "https://b.example/v1");
    expect([keyring.has("https://a.example"), keyring.has("https://b.example")]).toEqual([false, false]);
  });

  it("forgets an emptied key, one key, and all keys", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example", "first-key-1");
    keyring.set("https://b.example", "second-key-2");
    keyring.set("https://c.example", "third-key-3");
    keyring.set("https://a.example", "  ");
    keyring.forget("https://b.example");
    expect(["a", "b", "c"].map((host) => keyring.has(`https://${host}.example`))).toEqual([false, false, true]);
    keyring.forget();
    expect(keyring.has("https://c.example")).toBe(false);
  });

  it("refuses to bind a key to what is no address", () => {
    expect(() => createKeyring().set("localhost", KEY)).toThrow(TypeError);
  });

  it("replaces the key and its base64, URL and JSON forms, also after it was forgotten", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example", KEY);
    keyring.forget();
    const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
    const forms = [
      KEY,
      JSON.stringify({ key: KEY }),
      `?key=${encodeURIComponent(KEY)}`,
      `?key=${encodeURIComponent(KEY).toLowerCase()}`,
      new URLSearchParams({ key: KEY }).toString(),
    ].map((form) => keyring.scrub(form));
    expect(forms).toEqual([
      "[key removed]",
      '{"key":"[key removed]"}',
      "?key=[key removed]",
      "?key=[key removed]",
      "key=[key removed]",
    ]);
    for (const prefix of ["", "u:", "Bearer ", "user:"]) {
      expect(keyring.scrub(base64(prefix + KEY))).toContain("[key removed]");
      expect(keyring.scrub(Buffer.from(prefix + KEY).toString("base64url"))).toContain("[key removed]");
    }
  });

  it("scrubs a key that has quotes and backslashes out of JSON", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example", 'abc"def\\ghi');
    expect(keyring.scrub(JSON.stringify(['abc"def\\ghi']))).toBe('["[key removed]"]');
  });

  it("leaves a placeholder too short to be a secret in place, so that ordinary words survive", () => {
    const keyring = createKeyring();
    keyring.set("http://localhost:11434", "ollama");
    expect([keyring.get("http://localhost:11434/v1"), keyring.scrub("start ollama first")]).toEqual([
      "ollama",
      "start ollama first",
    ]);
  });

  it("scrubs a key that comes in pieces, and holds back no more than may belong to one", () => {
    const keyring = createKeyring();
    keyring.set("https://a.example", "sk-secret-1234");
    const scrubber = keyring.textScrubber();
    const pieces = ["The key is s", "k-sec", "ret-1234! Tell", " s", "omeone"].map((piece) => scrubber.push(piece));
    expect([...pieces, scrubber.end()]).toEqual(["The key is ", "", "[key removed]! Tell", " ", "someone", ""]);
    expect([scrubber.push("sk-sec"), scrubber.end()]).toEqual(["", "sk-sec"]);
  });

  it("passes every piece on at once while there is no key", () => {
    const scrubber = createKeyring().textScrubber();
    expect([scrubber.push("sk-"), scrubber.push("x"), scrubber.end()]).toEqual(["sk-", "x", ""]);
  });
});
