import { describe, expect, test } from "vitest";
import { importInWorker } from "./importInWorker";
import { importTrajectory, type ImportProgress } from "./importTrajectory";

const createWorker = () => new Worker(new URL("./importWorker.ts", import.meta.url), { type: "module" });

/** A rollout of many turns, each with an image so that there are blobs. */
function rollout(turnCount: number): Blob {
  const lines: string[] = [
    JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "t" } }),
  ];
  const image = btoa("x".repeat(1_000));
  for (let turn = 0; turn < turnCount; turn++) {
    const items = [
      { type: "message", role: "user", content: [{ type: "input_text", text: `turn ${turn} ${"word ".repeat(100)}` }] },
      { type: "function_call", name: "view_image", arguments: "{}", call_id: `c${turn}` },
      {
        type: "function_call_output",
        call_id: `c${turn}`,
        output: [{ type: "input_image", image_url: `data:image/png;base64,${image}` }],
      },
    ];
    for (const payload of items)
      lines.push(JSON.stringify({ timestamp: "2026-01-01T00:00:01Z", type: "response_item", payload }));
  }
  return new Blob([lines.join("\n")]);
}

describe("an import in a worker", () => {
  test("is what it is in place, with its progress", async () => {
    const source = { files: [{ path: "a.jsonl", blob: rollout(1_000) }] };
    const told: ImportProgress[] = [];
    const imported = await importInWorker(createWorker, source, { onProgress: (progress) => told.push(progress) });
    expect(imported).toEqual(await importTrajectory(source));
    expect(imported.blobs.size).toBe(1);
    const { size } = source.files[0]?.blob ?? { size: 0 };
    expect(told.at(-1)).toEqual({ bytes: size, totalBytes: size, events: expect.any(Number) });
    expect(told.length).toBeGreaterThan(3);
    expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
  });

  test("ends when it is stopped", async () => {
    const stop = new AbortController();
    const source = { files: [{ path: "a.jsonl", blob: rollout(20_000) }] };
    const importing = importInWorker(createWorker, source, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await expect(importing).rejects.toThrow("enough");
  });

  test("says why it cannot be, and that it broke", async () => {
    const source = { files: [{ path: "a", blob: new Blob(["hello"]) }] };
    await expect(importInWorker(createWorker, source)).rejects.toMatchObject({
      code: "not-a-session",
      message: expect.stringMatching(/^Nothing in it is a session/) as string,
    });
    const broken = () => new Worker(URL.createObjectURL(new Blob(["throw new Error('no start')"])));
    await expect(importInWorker(broken, source)).rejects.toMatchObject({
      message: expect.stringMatching(/no start/) as string,
    });
  });
});
