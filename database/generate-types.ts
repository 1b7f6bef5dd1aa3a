/** Generates Kysely's types of the platform's tables from the migrations: `types.ts`; with `--verify` it only checks them. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestDatabase } from "./testing/test-database.ts";

/**
 * Writes the types of schema `tenantry` to `output`.
 *
 * @param verify fails if `output` is outdated, instead of writing it
 * @throws Error if kysely-codegen fails
 */
export async function generateTypes(url: string, output: string, verify: boolean): Promise<void> {
  const program = fileURLToPath(import.meta.resolve("kysely-codegen/dist/cli/bin.js"));
  const flags = [
    "--dialect",
    "postgres",
    "--include-pattern",
    "tenantry.*",
    "--exclude-pattern",
    "tenantry.(migrations|routines)",
    "--out-file",
    output,
  ];
  try {
    await promisify(execFile)(process.execPath, [program, ...flags, ...(verify ? ["--verify"] : [])], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
    });
  } catch {
    throw new Error(
      verify
        ? `${output} does not match the migrations. Run "npm run database:types".`
        : `${output} could not be written.`,
    );
  }
}

if (import.meta.main) {
  const database = await startTestDatabase();
  try {
    const output = fileURLToPath(new URL("types.ts", import.meta.url));
    await generateTypes(database.url, output, process.argv.includes("--verify"));
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 1;
  } finally {
    await database.stop();
  }
}
