import { readFile } from "node:fs/promises";
import { zipEntries } from "../src/archive";
import { ModelMenu } from "./modelMenu";
import { MODEL_ID, ModelServer } from "./modelServer";
import { expect, test } from "./playground";
import { storedText } from "./storedText";

/** With characters that are written otherwise in addresses and in JSON. */
const CANARY = 'sk-canary/Zq7+"x9=End';
const CANARY_FORMS = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString("base64"),
  Buffer.from(CANARY).toString("base64url"),
  Buffer.from(`Bearer ${CANARY}`).toString("base64"),
];

test("a server of one's own is tested step by step, chosen, and runs tools; its key is written nowhere", async ({
  playground,
  page,
}) => {
  await using server = await ModelServer.start({
    key: CANARY,
    answers: [
      (stream) => {
        stream.say("I write what was asked. ");
        stream.call("Write", { path: "/work/from-server.md", fileText: "written by the server's model\n" });
        stream.call("Read", { path: "/work/from-server.md" });
        stream.end();
      },
      (stream) => {
        // A server that gives the key away: half in one piece, half in the next.
        stream.say(`The key is ${CANARY.slice(0, 9)}`);
        stream.say(`${CANARY.slice(9)}, is it not? Done.`);
        stream.end();
      },
    ],
  });
  // Named in the menu before the key is entered, the server is asked for its models once without it.
  playground.expectedComplaints.push(/status of 401/);
  await playground.openEmptyProject("Own server");
  const menu = new ModelMenu(page);
  await menu.chooseServer(server.baseUrl);
  await menu.enterKey(CANARY);
  await menu.test();
  expect(await menu.stepTexts()).toEqual([
    `✓ Address ok ${server.baseUrl}`,
    `✓ Reach ok ${server.origin} answers.`,
    "✓ Key ok Accepted.",
    `✓ Model ok ${MODEL_ID} is listed.`,
    '✓ Answer ok It streams: "ready"',
  ]);
  await menu.close();
  await expect(page.getByRole("banner").getByRole("button", { name: `${MODEL_ID} ready` })).toBeVisible();

  await playground.run("Write a file and read it");
  await expect(playground.calls(/^ok Write \/work\/from-server\.md/)).toBeVisible();
  await expect(playground.calls(/^ok Read \/work\/from-server\.md/)).toBeVisible();
  await expect(playground.answers("The key is [key removed], is it not? Done.")).toBeVisible();
  expect(server.requests.map((request) => request.authorization)).toEqual([`Bearer ${CANARY}`, `Bearer ${CANARY}`]);

  const stored = await storedText(page);
  expect(stored).toContain("written by the server's model");
  expect(stored).toContain("is it not? Done.");
  const log = await readFile((await playground.saveSession("Write a file", "ndjson")).path, "utf8");
  const zip = await textOfZip((await playground.saveSession("Write a file", "zip")).path);
  expect(log).toContain("is it not? Done.");
  expect(zip).toContain("is it not? Done.");
  for (const form of CANARY_FORMS) {
    for (const [place, text] of Object.entries({ stored, log, zip, page: await page.content() }))
      expect(text.includes(form), `${place} holds the key as ${form}`).toBe(false);
  }

  await page.reload();
  await menu.open();
  await expect(menu.key).toHaveAttribute("placeholder", "none");
});

test("a connection that fails says which step and what to do about it", async ({ playground, page, baseURL }) => {
  const origin = new URL(baseURL ?? "").origin;
  playground.expectedComplaints.push(
    /CORS policy|ERR_FAILED|ERR_CONNECTION_REFUSED|ERR_BLOCKED_BY_RESPONSE|status of 401/,
  );
  await playground.openEmptyProject("Failing server");
  const menu = new ModelMenu(page);

  await test.step("the server does not let pages read its answers", async () => {
    await using closed = await ModelServer.start({ answers: [], allowsPages: false });
    await menu.chooseServer(closed.baseUrl);
    await menu.test();
    expect(await menu.stepTexts()).toEqual([
      `✓ Address ok ${closed.baseUrl}`,
      `✕ Reach failed ${closed.origin} answers, but does not let this page read its answer (CORS). ` +
        `The server must send Access-Control-Allow-Origin: ${origin} and allow the headers authorization and content-type.`,
    ]);
  });

  await test.step("the key is missing, then wrong", async () => {
    await using guarded = await ModelServer.start({ answers: [], key: "the-right-key" });
    await menu.chooseServer(guarded.baseUrl);
    await menu.test();
    expect(await menu.stepTexts()).toEqual([
      `✓ Address ok ${guarded.baseUrl}`,
      `✓ Reach ok ${guarded.origin} answers.`,
      "✕ Key failed Incorrect API key provided: none (HTTP 401) This server wants a key: enter it beside the address.",
    ]);
    await menu.enterKey("the-wrong-key");
    await menu.test();
    expect(await menu.stepTexts()).toEqual([
      `✓ Address ok ${guarded.baseUrl}`,
      `✓ Reach ok ${guarded.origin} answers.`,
      "✕ Key failed Incorrect API key provided: Bearer [key removed] (HTTP 401) Check the key and its rights.",
    ]);
  });

  await test.step("the server is not running", async () => {
    const gone = await ModelServer.start({ answers: [] });
    const { baseUrl, origin: goneOrigin } = gone;
    await gone[Symbol.asyncDispose]();
    await menu.chooseServer(baseUrl);
    await menu.test();
    const [, reach] = await menu.stepTexts();
    expect(reach).toContain(
      `✕ Reach failed No connection to ${goneOrigin}. Is the server running, and is the port right?`,
    );
  });

  await test.step("the address is none", async () => {
    await menu.chooseServer("localhost");
    await menu.test();
    expect(await menu.stepTexts()).toEqual([
      expect.stringMatching(/^✕ Address failed .* For example http:\/\/localhost:11434\/v1 for Ollama\.$/),
    ]);
  });

  await menu.close();
  await expect(page.getByRole("banner").getByRole("button", { name: `${MODEL_ID} does not answer` })).toBeVisible();
});

/** What is in a zip, names and contents, as one text. */
async function textOfZip(path: string): Promise<string> {
  const parts: string[] = [];
  for await (const entry of zipEntries(await readFile(path))) {
    parts.push(entry.path);
    if (entry.kind === "file") parts.push(Buffer.from(await entry.bytes()).toString("utf8"));
  }
  return parts.join("\n");
}

test("an address the page may not reach is told before any request, and a refused one asks for the server first", async ({
  page,
  playground,
}) => {
  playground.expectedComplaints.push(/Failed to load resource: net::ERR_/);
  await playground.openSample();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const menu = new ModelMenu(page);
  await menu.chooseServer("http://192.168.0.9:11434/v1");
  await menu.test();
  expect(await menu.stepTexts()).toEqual([
    expect.stringMatching(
      /Address failed This page may reach https addresses, localhost and 127\.0\.0\.1 only.*ssh -N -L 11434:localhost:11434 192\.168\.0\.9/,
    ),
  ]);
  expect(requests.filter((url) => url.includes("192.168."))).toEqual([]);

  await menu.chooseServer("http://127.0.0.1:9/v1");
  await menu.test();
  const [, reach = ""] = await menu.stepTexts();
  expect(reach).toContain("Is the server running");
  expect(reach).not.toContain("Local network access");
});
