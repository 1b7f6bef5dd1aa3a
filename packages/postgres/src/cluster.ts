/**
 * The Postgres data directory of a state directory: where it lies, whose it is, its password and port.
 *
 * Postgres refuses to run as root. Under root it runs as `nobody`, who cannot enter a private state directory, so the data
 * lies in `/var/lib/tenantry-XXXXXX` (`/var/tmp` where that cannot be written, `/tmp` for a state directory that lies there);
 * the state directory remembers which.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import * as z from "zod";
import { findPostgresPackage, isOpenToAll, runnableNative } from "./postgres-package.ts";
import { runPostgresProgram } from "./postgres-process.ts";

export const SUPERUSER = "postgres";

const NOBODY = { uid: 65_534, gid: 65_534 };
const HOMES = ["/var/lib", "/var/tmp"];
const HOME_PREFIX = "tenantry-";

const clusterFile = z.object({
  /** Directory outside the state directory that holds the data, or null when they lie inside. */
  home: z.string().nullable(),
  password: z.string(),
  /** TCP port of the last start; null before the first. */
  port: z.number().int().nullable(),
});
type ClusterFile = z.infer<typeof clusterFile>;

export interface User {
  uid: number;
  gid: number;
}

export interface Cluster {
  data: string;
  /** Directory of the programs that {@link Cluster.user} can run. */
  native: string;
  /** The user Postgres runs as; `undefined` for the caller. */
  user: User | undefined;
  password: string;
  port: number | null;
  /** Keeps the port for the next start. */
  rememberPort(port: number): Promise<void>;
}

/**
 * The cluster of a state directory, made and initialised when it has none.
 *
 * @throws Error one sentence that says what is wrong and what to do
 */
export async function openCluster(directory: string): Promise<Cluster> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, "postgres.json");
  const file = existsSync(path) ? readClusterFile(path) : await newClusterFile(path, directory);
  const home = file.home ?? directory;
  if (!existsSync(home)) {
    throw new Error(`The database of ${directory} lay in ${home}, which is gone: begin anew with --fresh.`);
  }
  const found = findPostgresPackage();
  const data = join(home, "data");
  const user = existsSync(data) ? await ownerOf(data) : file.home === null ? undefined : NOBODY;
  const native = await runnableNative(found, home, user);
  if (existsSync(data)) await checkVersion(data, found.version);
  else await initialise(data, native, user, file.password);
  return {
    data,
    native,
    user,
    password: file.password,
    port: file.port,
    rememberPort: (port) => writeClusterFile(path, { ...file, port }),
  };
}

/** Removes a stopped database with all of its data, also what lies outside `directory`, and `directory` itself. */
export async function removeCluster(directory: string): Promise<void> {
  const path = join(directory, "postgres.json");
  const home = existsSync(path) ? readClusterFile(path).home : null;
  if (home !== null && basename(home).startsWith(HOME_PREFIX)) await rm(home, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

/** The data directory of a state directory, when it has one. */
export function dataOf(directory: string): string | undefined {
  const path = join(directory, "postgres.json");
  return existsSync(path) ? join(readClusterFile(path).home ?? directory, "data") : undefined;
}

async function initialise(data: string, native: string, user: User | undefined, password: string): Promise<void> {
  const partial = `${data}-new`;
  const passwordFile = `${data}-password`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (user !== undefined) {
      await chown(partial, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    await runPostgresProgram(join(native, "bin/initdb"), user, [
      `--pgdata=${partial}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ]);
    await rename(partial, data);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function checkVersion(data: string, version: string): Promise<void> {
  const made = (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  const major = version.split(".")[0];
  if (made !== major) {
    throw new Error(
      `The database in ${data} was made by Postgres ${made}, and this is ${major}: begin anew with --fresh.`,
    );
  }
}

async function ownerOf(data: string): Promise<User | undefined> {
  const { uid, gid } = await stat(data);
  const caller = process.getuid?.();
  if (uid === caller) return undefined;
  if (caller === 0) return { uid, gid };
  throw new Error(
    `The database in ${data} belongs to another user (id ${uid}): run as that user or choose another state directory.`,
  );
}

function readClusterFile(path: string): ClusterFile {
  return clusterFile.parse(JSON.parse(readFileSync(path, "utf8")));
}

async function newClusterFile(path: string, directory: string): Promise<ClusterFile> {
  const file = { home: await newHome(directory), password: randomBytes(24).toString("base64url"), port: null };
  await writeClusterFile(path, file);
  return file;
}

async function newHome(directory: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const isTemporary = resolve(directory).startsWith(`${tmpdir()}/`) && (await isOpenToAll(tmpdir()));
  for (const parent of isTemporary ? [tmpdir(), ...HOMES] : HOMES) {
    const home = await mkdtemp(join(parent, HOME_PREFIX)).catch(() => undefined);
    if (home === undefined) continue;
    await chmod(home, 0o711);
    return home;
  }
  throw new Error(
    `Postgres refuses to run as root, and no directory for its data could be made in ${HOMES.join(" or ")}.`,
  );
}

async function writeClusterFile(path: string, file: ClusterFile): Promise<void> {
  const partial = `${path}.new`;
  const handle = await open(partial, "w", 0o600);
  await handle.writeFile(`${JSON.stringify(file)}\n`);
  await handle.sync();
  await handle.close();
  await rename(partial, path);
}
