/**
 * The cluster of a directory: its data, password and port.
 *
 * Postgres refuses to run as root. Under root it runs as `nobody`, who cannot enter a private directory, so the data is in
 * `/var/lib/PREFIX-XXXXXX` (else `/var/tmp`; `/tmp` for a directory in `/tmp`). `postgres.json` records the path.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import { findPostgresPackage, isOpenToAll, runnableNative } from "./postgres-package.ts";
import { runPostgresProgram } from "./postgres-process.ts";

export const SUPERUSER = "postgres";

const NOBODY = { uid: 65_534, gid: 65_534 };
const HOME_PARENTS = ["/var/lib", "/var/tmp"];
/** The suffix of `mkdtemp`. */
const HOME_SUFFIX = /-[A-Za-z0-9]{6}$/;

const FILE = "postgres.json";
const clusterFile = z.object({
  /** Directory of the data when it is outside the cluster's directory, else null. */
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
  /** Folder of Postgres's programs that {@link Cluster.user} can run. */
  native: string;
  /** The user that Postgres runs as; `undefined` for the caller. */
  user: User | undefined;
  password: string;
  port: number | null;
  savePort(port: number): Promise<void>;
}

/**
 * Opens the cluster of a directory. Creates and initialises it when the directory has none.
 *
 * @param prefix of the directory of the data under root
 * @throws Error with the fault and its remedy
 */
export async function openCluster(directory: string, prefix = "postgres"): Promise<Cluster> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, FILE);
  const file = readClusterFile(directory) ?? (await createClusterFile(directory, prefix));
  const home = file.home ?? directory;
  if (!existsSync(home)) {
    throw new Error(`The database of ${directory} was in ${home}, which does not exist. Start again with --fresh.`);
  }
  const found = findPostgresPackage();
  const data = join(home, "data");
  const user = existsSync(data) ? await ownerOf(data) : file.home === null ? undefined : NOBODY;
  const native = await runnableNative(found, home, user);
  if (existsSync(data)) await checkVersion(data, found.version);
  else await initialiseCluster(data, native, user, file.password);
  const { password, port } = file;
  return { data, native, user, password, port, savePort: (port) => writeClusterFile(path, { ...file, port }) };
}

/** Removes the directory of a stopped database and its data, wherever it is. */
export async function removeCluster(directory: string): Promise<void> {
  const home = readClusterFile(directory)?.home ?? null;
  if (home !== null && HOME_SUFFIX.test(home)) await rm(home, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
}

/** Returns the data directory of a database's directory, if it has one. */
export function findDataDirectory(directory: string): string | undefined {
  const file = readClusterFile(directory);
  return file && join(file.home ?? directory, "data");
}

async function initialiseCluster(
  data: string,
  native: string,
  user: User | undefined,
  password: string,
): Promise<void> {
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
  const actual = (await readFile(join(data, "PG_VERSION"), "utf8")).trim();
  const expected = version.split(".")[0];
  if (actual !== expected) {
    throw new Error(
      `The database in ${data} has the format of Postgres ${actual}, but this is Postgres ${expected}. Start again with --fresh.`,
    );
  }
}

async function ownerOf(data: string): Promise<User | undefined> {
  const { uid, gid } = await stat(data);
  const caller = process.getuid?.();
  if (uid === caller) return undefined;
  if (caller === 0) return { uid, gid };
  throw new Error(
    `The database in ${data} belongs to another user (id ${uid}). Run as that user, or choose another state directory.`,
  );
}

function readClusterFile(directory: string): ClusterFile | undefined {
  const path = join(directory, FILE);
  return existsSync(path) ? clusterFile.parse(JSON.parse(readFileSync(path, "utf8"))) : undefined;
}

async function createClusterFile(directory: string, prefix: string): Promise<ClusterFile> {
  const home = await createHome(directory, prefix);
  const file = { home, password: randomBytes(24).toString("base64url"), port: null };
  await writeClusterFile(join(directory, FILE), file);
  return file;
}

async function createHome(directory: string, prefix: string): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const isTemporary = resolve(directory).startsWith(`${tmpdir()}/`) && (await isOpenToAll(tmpdir()));
  for (const parent of isTemporary ? [tmpdir(), ...HOME_PARENTS] : HOME_PARENTS) {
    const home = await mkdtemp(join(parent, `${prefix}-`)).catch(() => undefined);
    if (home === undefined) continue;
    await chmod(home, 0o711);
    return home;
  }
  const parents = HOME_PARENTS.join(" or ");
  throw new Error(`Postgres refuses to run as root, and creating a directory for its data in ${parents} failed.`);
}

async function writeClusterFile(path: string, file: ClusterFile): Promise<void> {
  const partial = `${path}.new`;
  const handle = await open(partial, "w", 0o600);
  await handle.writeFile(`${JSON.stringify(file)}\n`);
  await handle.sync();
  await handle.close();
  await rename(partial, path);
}
