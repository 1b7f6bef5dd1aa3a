/** The repository's schema: numbered migrations, routines by subject, and plans. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import type { Price } from "#domain/billing/price-list.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { schemaErrors } from "#domain/errors/database/schema.ts";
import { plans } from "#domain/plans/plan.ts";
import { OBJECT_RIGHTS } from "../callers/grants.ts";
import { SchemaError } from "./error.ts";
import { parseRoutines, type Routine } from "./routine.ts";

export interface Migration {
  number: string;
  name: string;
  checksum: string;
  sql: string;
}

export interface SchemaSource {
  migrations: readonly Migration[];
  routines: readonly Routine[];
  plans: readonly string[];
  prices: readonly (Omit<Price, "plan"> & { plan: string })[];
}

export const SCHEMA_DIRECTORY = join(import.meta.dirname, "..");

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** `0002_add_doors.sql` */
const FILE = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** @throws SchemaError if a file name is invalid, a number is missing or used twice, or a routine cannot be parsed */
export function readSchemaSource(directory = SCHEMA_DIRECTORY): SchemaSource {
  return {
    migrations: readMigrations(join(directory, "migrations")),
    routines: readRoutines(join(directory, "routines")),
    plans,
    prices: DEFAULT_PRICES,
  };
}

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith(".sql"))
    .map(({ name }) => name)
    .toSorted()
    .map((file, index): Migration => {
      const [, number = "", name = ""] = FILE.exec(file) ?? [];
      if (number === "") throw new SchemaError(errorText(schemaErrors.migration_misnamed, { file }));
      const expected = String(index + 1).padStart(4, "0");
      if (number !== expected) {
        throw new SchemaError(errorText(schemaErrors.migration_misnumbered, { file, expected }));
      }
      const sql = readFileSync(join(folder, file), "utf8");
      return { number, name, checksum: sha256(sql), sql };
    });
}

function readRoutines(folder: string): Routine[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".sql"))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1));
  const routines = files.flatMap((file) => parseRoutines(file, readFileSync(join(folder, file), "utf8")));
  const seen = new Map<string, string>();
  for (const { identity, file } of routines) {
    const other = seen.get(identity);
    if (other !== undefined)
      throw new SchemaError(errorText(schemaErrors.routine_defined_twice, { routine: identity, other, file }));
    seen.set(identity, file);
  }
  return routines;
}

/** Changes with each file of the schema, the plans and the declared rights. */
export function schemaHash(directory = SCHEMA_DIRECTORY): string {
  const { migrations, routines, plans } = readSchemaSource(directory);
  const parts = [
    ...migrations.map(({ checksum }) => checksum),
    ...routines.flatMap(({ create, after }) => [create, ...after]),
    JSON.stringify(plans.toSorted()),
    JSON.stringify(OBJECT_RIGHTS),
  ];
  return sha256(parts.join("\n"));
}
