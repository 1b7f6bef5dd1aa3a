/** Replaces a secret of a running platform, so that no request fails and the old secret is refused afterwards. */
import { setTimeout as pause } from "node:timers/promises";
import { nextStep, type Rotation } from "#domain/rotation.ts";
import { replaceGiven } from "./given-secret.ts";
import type { RotateOptions } from "./options.ts";
import { rotatePassphrase } from "./passphrase.ts";
import { PlatformFile } from "./platform-file.ts";
import { GIVEN_SECRETS, MADE_SECRETS, type MadeSecret, PASSPHRASE, rotatedSecrets } from "./secrets.ts";
import { restartService, SERVICE_SECRETS } from "./service-restart.ts";
import { deployTenants } from "./tenants.ts";

const DONE = {
  prepare: "the new secret is valid",
  switch: "the new secret is used, and the old one is still valid",
  done: "the old secret is no longer valid",
};

/**
 * Carries the rotation out, or continues one that was interrupted.
 *
 * @throws Error with one sentence. Both secrets are valid then, or the old one alone: run the command again
 */
export async function rotate(options: RotateOptions): Promise<void> {
  if (options.secret === PASSPHRASE) return rotatePassphrase(options);
  const file = new PlatformFile(options);
  const made = MADE_SECRETS[options.secret];
  if (made !== undefined) return rotateMade(made, file, options);
  const given = GIVEN_SECRETS[options.secret];
  if (given !== undefined) return replaceGiven(given, file, options);
  throw new Error(`There is no secret ${options.secret}. Rotate one of ${rotatedSecrets.join(", ")}.`);
}

async function rotateMade(made: MadeSecret, file: PlatformFile, options: RotateOptions): Promise<void> {
  const { secret, finish, signal, pauseSeconds, say } = options;
  const found = file.rotationOf(made.setting);
  if (finish && found.step !== "switch") {
    throw new Error(`No rotation of ${secret} waits for --finish. Run the command without it.`);
  }
  // A step that was interrupted is done again.
  let rotation = found.step === "done" ? nextStep(found) : found;
  for (;;) {
    await deployStep(rotation, made, file, options);
    if (rotation.step === "done") return;
    if (rotation.step === "switch" && made.service && !finish && !(await restartService(options))) {
      say(
        `Restart the automation service with ${Object.keys(SERVICE_SECRETS).join(", ")} from the outputs ` +
          `${Object.values(SERVICE_SECRETS).join(", ")} of ${options.stack}. Then run: npm run fleet -- rotate ${secret} --stack ${options.stack} --finish`,
      );
      return;
    }
    await pause(pauseSeconds * 1000, undefined, { signal });
    rotation = nextStep(rotation);
  }
}

async function deployStep(
  rotation: Rotation,
  { setting, tenants, done }: MadeSecret,
  file: PlatformFile,
  options: RotateOptions,
): Promise<void> {
  options.signal.throwIfAborted();
  file.setRotation(setting, rotation);
  await file.up();
  if (tenants.includes(rotation.step)) await deployTenants(file, options);
  const outcome = (rotation.step === "done" && done) || `${DONE[rotation.step]}.`;
  options.say(`${options.secret}, version ${rotation.version}: ${outcome}`);
}
