import { expect, test } from "vitest";
import { limits, sha256HexSync } from "../../base";
import type { SessionEvent } from "../../session";
import { eventsFromNdjson } from "../eventsFromNdjson";
import { carriedTextOfPage, htmlFromSessions } from "./htmlFromSessions";
import { pageScript } from "./pageScript";
import { pageStyle } from "./pageStyle";
import { logFromFragment, sessionFragment } from "./sessionFragment";

const NASTY = `</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> "'&\u2028`;

function log(message: string): SessionEvent[] {
  const turn = { turnId: "turn_0", sequence: 0 };
  const meta = { id: "evt_1", at: "2026-01-01T00:00:00.000Z" };
  return [
    { type: "turn.started", data: turn, meta },
    { type: "message.received", data: { ...turn, message }, meta },
    { type: "turn.completed", data: turn, meta },
  ];
}

const input = (message: string) => ({ sessions: [{ id: "s1", title: message, events: log(message) }] });
const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

test("a page lets no script run but its own and no address be asked", async () => {
  const html = await htmlFromSessions(input("hello"));
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1];
  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${base64(sha256HexSync(pageScript))}'; style-src 'sha256-${base64(sha256HexSync(pageStyle))}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(html).toContain(`<script>${pageScript}</script>`);
  expect(html.match(/(?:src|href)="[^"]*"/g)).toBeNull();
  expect(html).not.toMatch(/\son\w+=/);
});

test("nothing of a session is markup of the page", async () => {
  const html = await htmlFromSessions(input(NASTY));
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain("<!-- <img");
  expect(html).toContain("<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  const carried = JSON.parse(carriedTextOfPage(html) ?? "") as { sessions: { title: string }[] };
  expect(carried.sessions[0]?.title).toBe(NASTY);
  expect(carriedTextOfPage("<html></html>")).toBeUndefined();
});

test("it offers the playground: a small session lies in the link, a large one is to be dropped there", async () => {
  const small = await htmlFromSessions(input("hi"), { playgroundAddress: "https://example.com/play#old" });
  const fragment = await sessionFragment(input("hi"));
  expect(small).toContain(`<a href="https://example.com/play#${fragment}" target="_blank"`);
  expect((await eventsFromNdjson((await logFromFragment(`#${fragment}`)) ?? "")).events).toEqual(log("hi"));
  for (const broken of ["", "#session=", "#session=%%%", "#session=AAAA", "#other=x"])
    expect((await logFromFragment(broken)) ?? "").toBe("");
  let chance = 1;
  const noise = Array.from({ length: 60_000 }, () =>
    String.fromCharCode(33 + ((chance = (chance * 48_271) % 2_147_483_647) % 90)),
  ).join("");
  expect(noise.length).toBeGreaterThan(limits.linkFragmentCharacters);
  const large = await htmlFromSessions(input(noise), { playgroundAddress: "https://example.com/play" });
  expect(large).toContain('<a href="https://example.com/play" target="_blank"');
  expect(large).toContain("drop this file onto it");
  expect(await htmlFromSessions(input("hi"), { playgroundAddress: "javascript:alert(1)" })).not.toContain("<a ");
});

test("the same session makes the same page", async () => {
  expect(await htmlFromSessions(input("hi"))).toBe(await htmlFromSessions(input("hi")));
});
