import { afterAll, beforeAll, expect, it } from "vitest";
import type { LanguageModelV4, LanguageModelV4Prompt } from "../model";
import { callParts, finishPart, scriptedModel, textParts, type ScriptedStep } from "../testing/scriptedModel";
import { until, workbenchFixture } from "../testing/workbenchFixture";
import { webServer, type WebServer } from "../tools/webServer.suite";

let server: WebServer;
beforeAll(async () => void (server = await webServer()));
afterAll(() => server.stop());

type Step = (prompt: LanguageModelV4Prompt) => ScriptedStep;

/** A model that goes by what it was told. */
function readingModel(
  steps: readonly Step[],
): LanguageModelV4 & { readonly prompts: readonly LanguageModelV4Prompt[] } {
  const prompts: LanguageModelV4Prompt[] = [];
  return {
    ...scriptedModel([]),
    prompts,
    async doStream(options) {
      const step = steps[prompts.length];
      prompts.push(options.prompt);
      return await scriptedModel(step === undefined ? [] : [step(options.prompt)]).doStream(options);
    },
  };
}

const calling =
  (id: string, name: string, input: (prompt: LanguageModelV4Prompt) => object): Step =>
  (prompt) => ({ parts: [...callParts(id, name, input(prompt)), finishPart("tool-calls")] });

const done: Step = () => ({ parts: [...textParts("t", "ok"), finishPart("stop")] });

/** What the model read of a call. */
function told(prompt: LanguageModelV4Prompt | undefined, callId: string): string {
  const parts = (prompt ?? []).flatMap((message) => (message.role === "tool" ? message.content : []));
  const part = parts.find((one) => one.type === "tool-result" && one.toolCallId === callId);
  const output = part?.type === "tool-result" ? part.output : undefined;
  return output?.type === "text" || output?.type === "error-text" ? output.value : "";
}

const pathIn = (text: string) => /\/tmp\/[0-9a-f-]{36}\.txt/.exec(text)?.[0] ?? "";

it("puts a large page into the turn's own /tmp, where Read finds it until the turn is over", async () => {
  const fetching = calling("fetch", "webFetch", () => ({ url: `${server.url}/long` }));
  const reading = calling("read", "Read", (prompt) => ({ path: pathIn(told(prompt, "fetch")), limit: 1 }));
  const first = readingModel([fetching, reading, done]);
  const fixture = await workbenchFixture({ model: first });
  const session = fixture.workbench.session.getState();
  await session.send("fetch it and read it");
  await until(() => first.prompts.length === 3, "the end of the first turn");
  expect(told(first.prompts[1], "fetch")).toMatch(
    /It is in \/tmp\/[0-9a-f-]{36}\.txt: use Read or Grep on that path\.$/,
  );
  expect(told(first.prompts[2], "read")).toMatch(/^ {5}1\|0123456789 long line\n/);

  const path = pathIn(told(first.prompts[1], "fetch"));
  const later = readingModel([calling("again", "Read", () => ({ path })), done]);
  fixture.useModel(later);
  await session.send("read it again");
  await until(() => later.prompts.length === 2, "the end of the second turn");
  expect(told(later.prompts[1], "again")).toBe(`not found: ${path}`);
  await fixture.workbench.dispose();
});

it("shows the turn's /tmp beside the mounts while the turn lasts, to be read and not written, and in nothing kept", async () => {
  let looked: () => void = () => undefined;
  const looking = new Promise<void>((resolve) => (looked = resolve));
  const fetching = calling("fetch", "webFetch", () => ({ url: `${server.url}/long` }));
  const waiting: Step = () => ({ parts: [looking, ...textParts("t", "ok"), finishPart("stop")] });
  const model = readingModel([fetching, waiting]);
  const { workbench } = await workbenchFixture({ model });
  const mounts = () => workbench.mounts.getState();
  const sent = workbench.session.getState().send("fetch it");
  await until(() => mounts().scratch?.tree.fileCount === 1, "the file in /tmp");

  const path = pathIn(told(model.prompts[1], "fetch"));
  expect(mounts().scratch?.view).toMatchObject({ prefix: "/tmp", readOnly: true, fileCount: 1 });
  expect(mounts().scratch?.snapshot.file(path)).toBeDefined();
  expect(mounts().mountOf(path)).toMatchObject({ prefix: "/tmp", readOnly: true });
  await workbench.editor.getState().open(path);
  expect(workbench.editor.getState().documents[0]).toMatchObject({ presentation: "text", readOnly: true });
  await expect(mounts().write(path, "mine")).rejects.toMatchObject({ code: "read-only-mount", path });
  expect(mounts().mounts.some(({ prefix }) => prefix === "/tmp")).toBe(false);
  expect([mounts().snapshot, await mounts().currentSnapshot()].map((tree) => tree.entry("/tmp"))).toEqual([
    undefined,
    undefined,
  ]);
  expect(mounts().changes.list()).toEqual([]);

  looked();
  await sent;
  await until(() => mounts().scratch === undefined, "no /tmp");
  await until(() => workbench.editor.getState().documents[0]?.presentation === "gone", "its file gone");
  await workbench.dispose();
});
