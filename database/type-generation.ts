import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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
