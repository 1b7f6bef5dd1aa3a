/** Which version of OpenClaw wrote the state, and how a state of an older one is brought up to date. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "./config-file.mjs";

/** In the state directory, so that it goes with backups. */
const RECORD_FILE = ".tenantry-openclaw.json";
const DOCTOR_TIMEOUT_MS = 150_000;

/** `{ version, accepted }`; `undefined` for a state that no version wrote here. */
export function readRecord(state) {
  try {
    return JSON.parse(readFileSync(join(state, RECORD_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

export function writeRecord(state, record) {
  writeWhole(join(state, RECORD_FILE), JSON.stringify(record));
}

/** Negative when `a` is the older one. Versions are a year, a month and a number. */
export function compareVersions(a, b) {
  const parts = (version) => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Brings a state of an older version up to date.
 *
 * @throws Error when a newer version wrote it, or OpenClaw cannot do it in time
 */
export function upgrade({ before, version, program, env, say }) {
  if (before === undefined) return;
  if (compareVersions(before.version, version) > 0) {
    throw new Error(
      `the state is of OpenClaw ${before.version}, newer than this image's ${version}: go back to an image with ${before.version}, or restore a backup of ${version}`,
    );
  }
  say(`bringing the state of OpenClaw ${before.version} up to ${version}`);
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [program, "doctor", "--fix", "--non-interactive", "--yes"],
    { env, encoding: "utf8", timeout: DOCTOR_TIMEOUT_MS },
  );
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  const why = error === undefined ? `its doctor ended with code ${status}` : error.message;
  throw new Error(
    `the state of OpenClaw ${before.version} cannot be brought up to ${version} (${why}): go back to the image before; the state is as its last backup has it`,
  );
}
