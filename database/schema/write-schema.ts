import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestDatabase } from "../testing/test-database.ts";
import { dumpSchema } from "./dump.ts";
import { readMigrations, SCHEMA_DIRECTORY } from "./source.ts";

const database = await startTestDatabase();
const client = await database.pool.connect();
try {
  await client.query("begin");
  writeFileSync(join(SCHEMA_DIRECTORY, "schema.sql"), await dumpSchema(client));
  await client.query("rollback");
  const folder = join(SCHEMA_DIRECTORY, "migrations");
  const lines = readMigrations(folder).map(({ checksum, number, name }) => `${checksum}  ${number}_${name}.sql\n`);
  writeFileSync(join(folder, "checksums.txt"), lines.join(""));
} finally {
  client.release();
  await database.stop();
}
