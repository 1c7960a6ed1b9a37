import { expect, it } from "vitest";
import { until, workbenchFixture } from "../testing/workbenchFixture";
import { AGENT_ID } from "./editorDocument";

async function agentFixture() {
  const { workbench } = await workbenchFixture({});
  const { editor, project, agentJson } = workbench;
  await editor.getState().open(AGENT_ID);
  return {
    project: () => project.getState(),
    json: () => agentJson.getState(),
    saved: () =>
      until(() => editor.getState().documents.every(({ dirty, saving }) => !dirty && !saving), "the agent to be saved"),
    close: () => editor.getState().close(AGENT_ID),
  };
}

it("is saved as the editor saves; edits of one kind are one step of undo, of two kinds two", async () => {
  const { project, json, saved } = await agentFixture();
  const before = json().text;
  json().edit('{ "name": "B" }', "form name");
  json().edit('{ "name": "Be" }', "form name");
  json().edit('{ "name": "Be", "maxSteps": 3 }', "form maxSteps");
  await saved();
  expect(project().agent).toMatchObject({ name: "Be", maxSteps: 3 });
  json().undo();
  expect(json().text).toBe('{ "name": "Be" }');
  json().undo();
  expect([json().text, json().canUndo, json().canRedo]).toEqual([before, false, true]);
  json().redo();
  json().redo();
  await saved();
  expect(project().agent).toMatchObject({ name: "Be", maxSteps: 3 });
});

it("takes over what is set elsewhere, as a step that can be undone, open or not", async () => {
  const { project, json, saved, close } = await agentFixture();
  project().changeAgent({ maxSteps: 9 });
  await until(() => json().text.includes('"maxSteps": 9'), "the text to follow");
  json().undo();
  await saved();
  expect(project().agent.maxSteps).toBeUndefined();
  await close();
  project().changeAgent({ maxSteps: 4 });
  expect(json().text).toContain('"maxSteps": 4');
});

it("loses nothing that is set elsewhere while the text is not saved, or is no JSON", async () => {
  const { project, json, saved } = await agentFixture();
  json().edit('{ "name": "B" }', "text");
  project().changeAgent({ approvals: "writes" });
  await saved();
  expect(project().agent).toMatchObject({ name: "B", approvals: "writes" });

  json().edit('{ "name": "C", "approvals": "writes"', "text");
  project().changeAgent({ maxSteps: 5 });
  json().edit('{ "name": "C", "approvals": "writes" }', "text");
  await saved();
  expect(project().agent).toMatchObject({ name: "C", approvals: "writes", maxSteps: 5 });
});
