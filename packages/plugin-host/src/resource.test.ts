import { describe, expect, test } from "vitest";
import * as z from "zod";
import { UNKNOWN } from "./properties.ts";
import { type ResourceDefinition, resource } from "./resource.ts";
import { runFor } from "./run.ts";

interface Inputs {
  name: string;
  size: number;
  tags: string[];
  settings?: Record<string, unknown> | undefined;
  path?: string | undefined;
}

const definition: ResourceDefinition<undefined, Inputs, { etag: string }> = {
  type: "test:index:Thing",
  inputs: z.object({
    name: z.string().min(2, { message: "must have two letters" }),
    size: z.number().default(1),
    tags: z.array(z.string()).default([]),
    settings: z.record(z.string(), z.unknown()).optional(),
    path: z.string().optional(),
  }),
  replaceOn: ["name"],
  removes: "The thing.",
  ignore: ["path"],
  volatile: (changed) => (changed.has("tags") ? [] : ["etag"]),
  identity: ({ name }) => name.split("/")[0] ?? "",
  create: async (_clients, { name }) => ({ id: name, outputs: { etag: "1" } }),
  read: async () => undefined,
  update: async () => ({ etag: "2" }),
  delete: async () => {},
};
const thing = resource(definition);

const inputs = { name: "acme", size: 1, tags: ["a"] };
const URN = "urn:pulumi:dev::tenantry::test:index:Thing::acme";

describe("check of a resource", () => {
  test("applies defaults and drops null", () => {
    expect(thing.check({ name: "acme", size: null }, URN)).toEqual({
      inputs: { name: "acme", size: 1, tags: [] },
      failures: [],
    });
  });

  test("reports each failure with its path", () => {
    expect(thing.check({ name: "x", tags: [1] }, URN).failures).toMatchObject([
      { property: "name", reason: "must have two letters" },
      { property: "tags.0" },
    ]);
  });

  test("ignores failures of unknown values only", () => {
    const { failures, inputs: kept } = thing.check(
      {
        name: "acme",
        size: UNKNOWN,
        tags: UNKNOWN,
        settings: { a: UNKNOWN },
      },
      URN,
    );
    expect(failures).toEqual([]);
    expect(kept.size).toBe(UNKNOWN);
    expect(thing.check({ name: "x", size: UNKNOWN }, URN).failures.map((failure) => failure.property)).toEqual([
      "name",
    ]);
  });
});

describe("diff of a resource", () => {
  const diff = (old: object, now: object) => thing.diff({ ...inputs, ...old }, { ...inputs, ...now });

  test("is empty when only ignored inputs differ", () => {
    expect(diff({ path: "/one" }, { path: "/two" }).changes).toEqual([]);
    expect(diff({ settings: undefined }, {}).changes).toEqual([]);
  });

  test("reports each leaf with its path and kind", () => {
    const old = { settings: { "a-b": 1, gone: true, list: [1, 2] } };
    const now = { settings: { "a-b": 2, fresh: true, list: [1, 3, 4] } };
    expect(diff(old, now).changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'update settings["a-b"]',
      "delete settings.gone",
      "update settings.list[1]",
      "add settings.list[2]",
      "add settings.fresh",
    ]);
  });

  test("replaces when a key changes, also to an unknown value", () => {
    expect(diff({}, { name: "globex" })).toMatchObject({ replaces: ["name"], deleteBeforeReplace: false });
    expect(diff({}, { name: UNKNOWN }).replaces).toEqual(["name"]);
    expect(diff({}, { size: 2 }).replaces).toEqual([]);
  });

  test.each([
    ["create-first", { name: "acme/1" }, { name: "acme/2" }, false],
    ["delete-first", { name: "acme" }, { name: "globex" }, true],
  ] as const)("replaces in the order that the type declares: %s", (replaceOrder, old, now, deleteBeforeReplace) => {
    const ordered = resource({ ...definition, replaceOrder });
    expect(ordered.diff({ ...inputs, ...old }, { ...inputs, ...now })).toMatchObject({ deleteBeforeReplace });
    expect(ordered.replacement).toEqual({
      type: "test:index:Thing",
      on: ["name"],
      order: replaceOrder,
      removes: "The thing.",
    });
  });

  test("deletes first when both have the same name, so that a create cannot adopt what is deleted next", () => {
    expect(diff({ name: "acme/1" }, { name: "acme/2" })).toMatchObject({
      replaces: ["name"],
      deleteBeforeReplace: true,
    });
  });
});

describe("preview of an update", () => {
  const state = { ...inputs, etag: "1" };

  test("shows outputs that can change as unknown", () => {
    expect(thing.previewUpdate(state, inputs, { ...inputs, size: 2 })).toEqual({ ...inputs, size: 2, etag: UNKNOWN });
  });

  test("keeps outputs that cannot change", () => {
    expect(thing.previewUpdate(state, inputs, { ...inputs, tags: [] })).toEqual({ ...inputs, tags: [], etag: "1" });
  });

  test("rejects unknown inputs when a create runs", async () => {
    const run = runFor(undefined, "", new AbortController().signal);
    await expect(thing.create(undefined, { ...inputs, size: UNKNOWN }, run)).rejects.toThrow("unknown inputs");
  });
});
