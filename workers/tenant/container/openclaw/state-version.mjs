/** How a state of an older OpenClaw is brought up to date. Its record is the general one, with the digest of the accepted configuration. */
import { spawnSync } from "node:child_process";
import { ageOf } from "../gateway-version.mjs";

export const NAME = "openclaw";
const DOCTOR_TIMEOUT_MS = 150_000;

/**
 * Brings a state of an older version up to date.
 *
 * @param options.before the state's record; `undefined` for a state that no version wrote here
 * @throws Error when a newer version wrote it, or OpenClaw cannot do it in time
 */
export function upgrade({ before, version, program, env, say }) {
  if (before === undefined) return;
  if (ageOf(before, { name: NAME, version }) === "newer") {
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
