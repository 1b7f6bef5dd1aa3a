import { describe, expect, test } from "vitest";
import { ApiError } from "../../api/operations.ts";
import { migrateClasses } from "./migrations.ts";

const none = { durable_objects: [] };

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof ApiError ? error.code : error;
  }
  return undefined;
}

describe("migrate", () => {
  test("creates classes in several steps and in a single step", () => {
    const created = [
      { class_name: "A", sqlite: true },
      { class_name: "B", sqlite: false },
    ];
    const steps = migrateClasses(none, {
      new_tag: "v1",
      steps: [{ new_sqlite_classes: ["A"] }, { new_classes: ["B"] }],
    });
    const single = migrateClasses(none, { new_tag: "v1", new_sqlite_classes: ["A"], new_classes: ["B"] });
    for (const state of [steps, single]) {
      expect(state.migration_tag).toBe("v1");
      expect(state.durable_objects).toHaveLength(2);
      expect(state.durable_objects).toEqual(
        expect.arrayContaining(
          created.map((one) => ({ ...one, namespace_id: expect.stringMatching(/^[0-9a-f]{32}$/) })),
        ),
      );
    }
  });

  test("keeps the namespace's id of a renamed class, and removes a deleted class", () => {
    const before = migrateClasses(none, { new_tag: "v1", new_sqlite_classes: ["A", "B"] });
    const after = migrateClasses(before, {
      old_tag: "v1",
      new_tag: "v2",
      steps: [{ renamed_classes: [{ from: "A", to: "C" }], deleted_classes: ["B"] }],
    });
    expect(after).toEqual({
      migration_tag: "v2",
      durable_objects: [{ class_name: "C", sqlite: true, namespace_id: before.durable_objects[0]?.namespace_id }],
    });
  });

  test("changes nothing without migrations", () => {
    const before = migrateClasses(none, { new_tag: "v1", new_sqlite_classes: ["A"] });
    expect(migrateClasses(before, undefined)).toEqual(before);
  });

  test("refuses a wrong tag, a duplicate class, and an unknown class", () => {
    const before = migrateClasses(none, { new_tag: "v1", new_sqlite_classes: ["A"] });
    expect(codeOf(() => migrateClasses(before, { old_tag: "v0", new_tag: "v2" }))).toBe(10079);
    expect(codeOf(() => migrateClasses(before, { new_tag: "v1", new_sqlite_classes: ["A"] }))).toBe(10074);
    expect(codeOf(() => migrateClasses(before, { new_tag: "v2", deleted_classes: ["B"] }))).toBe(10074);
    expect(codeOf(() => migrateClasses(before, { new_tag: "v2", transferred_classes: [{}] }))).toBe(10021);
  });
});
