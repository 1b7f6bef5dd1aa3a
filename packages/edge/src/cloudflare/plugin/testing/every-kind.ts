import { globSync } from "node:fs";
import { join } from "node:path";
import type { Declared, Variant } from "./declared.ts";

const files = globSync(join(import.meta.dirname, "../../kinds/*/testing/declared*.ts"));

export const everyResource: readonly Declared[] = (
  await Promise.all(files.map((file): Promise<Record<string, Declared>> => import(file)))
).flatMap((module) => Object.values(module));

/** @param changes of the first edition with the bucket `backups`. Default: none */
export function everyKind(changes: Partial<Variant> = {}) {
  return async () => {
    const variant: Variant = { edition: 1, bucket: "backups", ...changes };
    return Object.assign({}, ...everyResource.map((one) => one.outputs?.(one(variant)) ?? (one(variant) && {})));
  };
}
