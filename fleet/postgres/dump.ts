import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlatformOptions } from "../options.ts";
import { asOwner, ownerAddress, serverMajor } from "./owner-database.ts";
import { PostgresClient } from "./postgres-client.ts";

export interface DumpOptions extends PlatformOptions {
  place: string;
  /** Number of the stack's dumps to keep, with the new one. Default: all. */
  keep: number | undefined;
}

export const rolesOf = (dump: string): string => dump.replace(/\.dump$/, ".roles.sql");

/** Dumps the platform's database and its roles. @returns path of the dump @throws Error with one sentence; earlier dumps stay unchanged */
export async function dumpDatabase(options: DumpOptions): Promise<string> {
  const { stack, place, keep, variables, say } = options;
  const address = await ownerAddress(options);
  const client = new PostgresClient(address, variables);
  const { major, isSuperuser } = await asOwner(address, async (connection) => {
    const { rows } = await connection.query<{ rolsuper: boolean }>(
      "select rolsuper from pg_roles where rolname = current_user",
    );
    return { major: await serverMajor(connection), isSuperuser: rows[0]?.rolsuper ?? false };
  });
  await client.check(major);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const file = join(place, `${stack}-${at}.dump`);
  const part = `${file}.part`;
  try {
    // It contains rows and passwords.
    writeFileSync(part, "", { mode: 0o600 });
    await client.run("pg_dump", ["--format=custom", "--no-password", `--file=${part}`]);
    const roles = await client.run("pg_dumpall", [
      "--roles-only",
      "--no-password",
      // Only a superuser can read passwords.
      ...(isSuperuser ? [] : ["--no-role-passwords"]),
    ]);
    writeFileSync(rolesOf(file), roles, { mode: 0o600 });
    await client.run("pg_restore", ["--list", part]);
    renameSync(part, file);
  } catch (error) {
    for (const left of [part, rolesOf(file)]) rmSync(left, { force: true });
    throw error;
  }
  if (!isSuperuser)
    say("The dump has no passwords of roles, because the owner is not a superuser. Rotate the logins after a restore.");
  if (keep !== undefined) {
    for (const old of dumpsOf(place, stack).slice(0, -keep)) {
      for (const gone of [old, rolesOf(old)]) rmSync(join(place, gone), { force: true });
    }
  }
  return file;
}

const dumpsOf = (place: string, stack: string): string[] =>
  readdirSync(place)
    .filter((name) => name.startsWith(`${stack}-`) && /-\d{8}T\d{6}Z\.dump$/.test(name))
    .filter((name) => name.length === `${stack}-20260101T000000Z.dump`.length)
    .toSorted();
