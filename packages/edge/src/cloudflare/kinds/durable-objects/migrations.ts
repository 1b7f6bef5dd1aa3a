/** Migrations of an upload are a single step, or steps with a tag. */
import * as z from "zod";
import { hexId } from "#account/identifiers.ts";
import { ApiError, validateInput } from "../../api/operations.ts";
import type { ScriptRecord } from "../scripts/record.ts";

const classes = z.array(z.string().min(1)).default([]);
const step = z.object({
  new_classes: classes,
  new_sqlite_classes: classes,
  deleted_classes: classes,
  renamed_classes: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  transferred_classes: z.array(z.unknown()).max(0, "is not supported by the local edge").default([]),
});
const migrations = step.extend({
  old_tag: z.string().exactOptional(),
  new_tag: z.string().exactOptional(),
  steps: z.array(step).default([]),
});

type State = Pick<ScriptRecord, "durable_objects" | "migration_tag">;

/** @throws ApiError 412 when `old_tag` is not the current tag; 400 when a new class exists or another does not */
export function migrateClasses(before: State, given: unknown): State {
  const { durable_objects, migration_tag } = before;
  if (given === undefined || given === null) return { durable_objects, migration_tag };
  const { old_tag, new_tag, steps, ...single } = validateInput(given, migrations, 10021);
  if (old_tag !== undefined && old_tag !== (migration_tag ?? "")) {
    throw new ApiError(412, 10079, `Migration tag precondition failed; current tag is '${migration_tag ?? ""}'`);
  }
  return {
    durable_objects: [single, ...steps].reduce(applyStep, durable_objects),
    migration_tag: new_tag ?? migration_tag,
  };
}

function applyStep(before: State["durable_objects"], change: z.infer<typeof step>): State["durable_objects"] {
  const after = new Map(before.map((one) => [one.class_name, one]));
  const existing = (class_name: string, verb: string) => {
    const found = after.get(class_name);
    if (found === undefined) {
      const message = `Cannot apply ${verb} migration to class '${class_name}' which was not exported in the previous version of the script`;
      throw new ApiError(400, 10074, message);
    }
    return found;
  };
  const create = (class_name: string, sqlite: boolean): void => {
    if (after.has(class_name)) {
      const verb = sqlite ? "new-sqlite-class" : "new-class";
      const message = `Cannot apply ${verb} migration to class '${class_name}' that is already depended on by existing Durable Objects.`;
      throw new ApiError(400, 10074, message);
    }
    after.set(class_name, { class_name, sqlite, namespace_id: hexId() });
  };
  for (const class_name of change.new_classes) create(class_name, false);
  for (const class_name of change.new_sqlite_classes) create(class_name, true);
  for (const { from, to } of change.renamed_classes) {
    const moved = existing(from, "rename");
    after.delete(from);
    after.set(to, { ...moved, class_name: to });
  }
  for (const class_name of change.deleted_classes) {
    existing(class_name, "delete-class");
    after.delete(class_name);
  }
  return [...after.values()];
}
