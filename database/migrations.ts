/** Applies the migrations by dbmate. The schemas `tenantry` and `api` exist before: whoever owns the database makes them. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { resolveBinary } from "dbmate";

/** Where dbmate records what it applied. */
export const MIGRATIONS_TABLE = "tenantry.schema_migrations";
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL("migrations", import.meta.url));

/**
 * Runs one dbmate command on the platform's migrations.
 *
 * @param url the database; given to dbmate by its environment, as arguments can be read by other users
 * @returns what dbmate printed
 * @throws Error with dbmate's last line
 */
export async function runMigrations(
  url: string,
  command: "migrate" | "rollback" | "status" = "migrate",
): Promise<string> {
  const flags = ["--no-dump-schema", "--migrations-table", MIGRATIONS_TABLE, "--migrations-dir", MIGRATIONS_DIRECTORY];
  try {
    const { stdout } = await promisify(execFile)(resolveBinary(), [...flags, command], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      // Away from any .env file, which dbmate would read.
      cwd: MIGRATIONS_DIRECTORY,
    });
    return stdout;
  } catch (cause) {
    const printed =
      cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim().split("\n").at(-1) : undefined;
    throw new Error(`The migrations did not run: ${printed ?? "dbmate could not be started"}`);
  }
}
