import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readMigrations, SCHEMA_DIRECTORY } from "./source.ts";

const name = (process.argv[2] ?? "").toLowerCase().replaceAll("-", "_");
if (/^[a-z][a-z0-9_]*$/.test(name)) {
  const folder = join(SCHEMA_DIRECTORY, "migrations");
  const number = String(readMigrations(folder).length + 1).padStart(4, "0");
  const file = join(folder, `${number}_${name}.sql`);
  writeFileSync(file, "-- Why this changes.\n", { flag: "wx" });
  process.stdout.write(`${relative(process.cwd(), file)}\n`);
} else {
  process.stderr.write("Usage: npm run database:new NAME, with a name such as add_doors.\n");
  process.exitCode = 1;
}
