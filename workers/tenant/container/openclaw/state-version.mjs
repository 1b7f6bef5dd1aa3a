/** Upgrades of OpenClaw's state. Its record also has `accepted`, the digest of the accepted configuration. */
import { spawnSync } from "node:child_process";
import { ageOf } from "../gateway-version.mjs";

export const NAME = "openclaw";
const DOCTOR_TIMEOUT_MS = 150_000;

/**
 * Upgrades a state of an older version.
 *
 * @param options.before the state's record; `undefined` for a new state
 * @throws Error when a newer version wrote it, or the upgrade fails or times out
 */
export function upgrade({ before, version, program, env, say }) {
  if (before === undefined) return;
  if (ageOf(before, { name: NAME, version }) === "newer") {
    throw new Error(
      `the state is of OpenClaw ${before.version}, newer than this image's ${version}: deploy an image with ${before.version}, or restore a backup of ${version}`,
    );
  }
  say(`upgrading the state from OpenClaw ${before.version} to ${version}`);
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [program, "doctor", "--fix", "--non-interactive", "--yes"],
    { env, encoding: "utf8", timeout: DOCTOR_TIMEOUT_MS },
  );
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  const reason = error === undefined ? `its doctor ended with code ${status}` : error.message;
  throw new Error(
    `the upgrade of the state from OpenClaw ${before.version} to ${version} failed (${reason}): deploy the previous image, which restores the last backup`,
  );
}
