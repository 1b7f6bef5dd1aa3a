/** A database as it was before some migrations. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MIGRATIONS_DIRECTORY, MIGRATIONS_TABLE } from "../migrations.ts";
import type { TestDatabase } from "./test-database.ts";

/**
 * Takes back all applied migrations behind a version, as `runMigrations` does one a process.
 *
 * @param version of the last that stays, as its file's name begins; none stays behind an empty one
 */
export async function rollBackTo({ pool }: TestDatabase, version: string): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(`select version from ${MIGRATIONS_TABLE}`);
  const applied = new Set(rows.map((row) => row.version));
  for (const file of (await readdir(MIGRATIONS_DIRECTORY)).toSorted().toReversed()) {
    const [of = ""] = file.split("_");
    if (of <= version || !applied.has(of)) continue;
    const [, down = ""] = (await readFile(join(MIGRATIONS_DIRECTORY, file), "utf8")).split("-- migrate:down");
    await pool.query(`begin; ${down}; delete from ${MIGRATIONS_TABLE} where version = '${of}'; commit`);
  }
}
