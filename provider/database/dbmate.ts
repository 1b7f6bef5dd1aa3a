import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { resolveBinary } from "dbmate";
import { databaseAddress } from "../../database/connection/address.ts";
import { UserError } from "../../plugin-host/errors.ts";

const run = promisify(execFile);

/** dbmate asks for TLS unless told not to; on this machine there is none. */
function withTlsChoice(url: string): string {
  const parsed = new URL(url);
  parsed.searchParams.set("sslmode", databaseAddress(url).sslmode);
  return parsed.href;
}

function complaint(error: unknown): string {
  const stderr = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
  const line = stderr.split("\n").find((text) => text.startsWith("Error:"));
  return line?.slice("Error:".length).trim() ?? "dbmate failed";
}

/**
 * Runs the migrations of `directory` that `table` does not list yet.
 *
 * @throws UserError with what dbmate said, and which migration it was at.
 */
export async function migrate(options: { url: string; directory: string; table: string }): Promise<void> {
  const args = [
    "--no-dump-schema",
    "--migrations-dir",
    options.directory,
    "--migrations-table",
    options.table,
    "migrate",
  ];
  try {
    // The URL holds a password: it goes by the environment, which other users cannot see.
    await run(resolveBinary(), args, { env: { PATH: process.env.PATH, DATABASE_URL: withTlsChoice(options.url) } });
  } catch (error) {
    const stdout = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    const at = stdout.match(/^Applying: (\S+)(?![\s\S]*^Applying: )/m)?.[1];
    throw new UserError(`The migrations failed${at ? ` at ${at}` : ""}: ${complaint(error)}`);
  }
}
