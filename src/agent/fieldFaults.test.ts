import { expect, test } from "vitest";
import { z } from "zod";
import { discover } from "./discover";
import { definitionSchema } from "./fieldFaults";

test("What the schema says of a field is what is checked of it", () => {
  const { properties, required } = definitionSchema();
  const samples: unknown[] = [
    "",
    " ",
    "a",
    "read",
    "never",
    "writes",
    "local",
    0,
    1,
    -1,
    1.5,
    true,
    null,
    [],
    ["read"],
    ["reed"],
    {},
  ];
  samples.push(
    { kind: "local", workspace: "virtual" },
    { kind: "local", workspace: "host", options: {} },
    { kind: "local", workspace: "host" },
    { kind: "cloud", options: {} },
    { kind: "cloud" },
    { kind: "grokbot" },
    { kind: "moon" },
  );
  const sound = { name: "A", instructions: "Work." };
  for (const [field, schema] of Object.entries(properties)) {
    const ofSchema = z.fromJSONSchema(schema);
    for (const sample of samples) {
      const isFaulty = discover({ ...sound, [field]: sample }).faults.some((fault) => fault.field === field);
      expect([field, sample, !ofSchema.safeParse(sample).success]).toEqual([field, sample, isFaulty]);
    }
  }
  expect(required).toEqual(discover({}).faults.map(({ field }) => field));
});
