import { expect, test } from "vitest";
import { canonicalJson, type JsonValue } from "../base";
import { callParts, finishPart, scriptedModel, textParts } from "../testing/scriptedModel";
import { sessionFixture } from "../testing/sessionFixture";
import { requestDifference, requestParts } from "./requestParts";

test("a stored request is cut into the parts of its owners, and compared with the step before", async () => {
  const model = scriptedModel([
    { parts: [...callParts("c1", "LS", { path: "/" }), finishPart("tool-calls")] },
    { parts: [...textParts("t", "Done."), finishPart("stop")] },
  ]);
  const session = await sessionFixture({ model, definition: { tools: ["ls"] } });
  await session.run("go");
  const [first, second] = model.requests.map((request) =>
    requestParts(JSON.parse(canonicalJson(request)) as JsonValue),
  );
  const system = session.bound.prompt.filter((part) => part.owner !== "context");
  expect(first?.slice(0, system.length).map(({ owner, text }) => ({ owner, text }))).toEqual(system);
  expect(first?.slice(system.length).map(({ owner, title }) => [owner, title])).toEqual([
    ["context", "context"],
    ["history", "user"],
    ["tools", "LS"],
  ]);
  expect(requestDifference(first ?? [], second ?? []).map(({ part, change }) => [part.title, change])).toEqual([
    ...system.map((part) => [part.owner, "same"]),
    ["context", "same"],
    ["user", "same"],
    ["call of LS", "added"],
    ["result of LS", "added"],
    ["LS", "same"],
  ]);
  expect(second?.find((part) => part.title === "result of LS")?.text).toContain("notes.md");
});

test("what is no request has no parts", () => {
  expect(requestParts(null)).toEqual([]);
  expect(requestParts({ prompt: [null, 5, { role: "user", content: "x" }] })).toEqual([]);
});
