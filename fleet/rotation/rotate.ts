/** Replaces a secret of a running platform without failing a request; the old secret is then invalid. */
import { setTimeout as pause } from "node:timers/promises";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRotationErrors } from "#domain/errors/commands/fleet-rotation.ts";
import { nextStep, type Rotation } from "#domain/rotation.ts";
import { replaceGiven } from "./new-secret.ts";
import type { RotateOptions } from "./options.ts";
import { rotatePassphrase } from "./passphrase.ts";
import { PlatformFile } from "./platform-file.ts";
import { GIVEN_SECRETS, ISSUED_SECRETS, type IssuedSecret, PASSPHRASE, rotatedSecrets } from "./secrets.ts";
import { restartService, SERVICE_SECRETS } from "./service-restart.ts";
import { deployTenants } from "./tenants.ts";

const OUTCOMES = {
  prepare: "the new secret is valid",
  switch: "the new secret is in use, and the old one is still valid",
  done: "the old secret is no longer valid",
};

/** Also continues an interrupted rotation. @throws Error; the old secret, or both, are then valid: run the command again */
export async function rotate(options: RotateOptions): Promise<void> {
  if (options.secret === PASSPHRASE) return rotatePassphrase(options);
  const file = new PlatformFile(options);
  const issued = ISSUED_SECRETS[options.secret];
  if (issued !== undefined) return rotateIssued(issued, file, options);
  const given = GIVEN_SECRETS[options.secret];
  if (given !== undefined) return replaceGiven(given, file, options);
  throw new CatalogueError(fleetRotationErrors.rotation_secret_unknown, {
    secret: options.secret,
    secrets: rotatedSecrets.join(", "),
  });
}

async function rotateIssued(issued: IssuedSecret, file: PlatformFile, options: RotateOptions): Promise<void> {
  const { secret, finish, signal, pauseSeconds, say } = options;
  const found = file.rotationOf(issued.setting);
  if (finish && found.step !== "switch") {
    throw new CatalogueError(fleetRotationErrors.rotation_not_waiting, { secret });
  }
  // An interrupted step is repeated.
  let rotation = found.step === "done" ? nextStep(found) : found;
  for (;;) {
    await deployStep(rotation, issued, file, options);
    if (rotation.step === "done") return;
    if (rotation.step === "switch" && issued.service && !finish && !(await restartService(options))) {
      say(
        `Restart the automation service with ${Object.keys(SERVICE_SECRETS).join(", ")} from the outputs ` +
          `${Object.values(SERVICE_SECRETS).join(", ")} of ${options.stack}. Then run: npm run fleet -- rotate ${secret} --stack ${options.stack} --finish`,
      );
      return;
    }
    await pause(pauseSeconds * 1000, undefined, { signal });
    if (rotation.step === "switch") await issued.beforeDone?.(options);
    rotation = nextStep(rotation);
  }
}

async function deployStep(
  rotation: Rotation,
  { setting, tenants, done }: IssuedSecret,
  file: PlatformFile,
  options: RotateOptions,
): Promise<void> {
  options.signal.throwIfAborted();
  file.setRotation(setting, rotation);
  await file.up();
  if (tenants.includes(rotation.step)) await deployTenants(file, options);
  const outcome = (rotation.step === "done" && done) || `${OUTCOMES[rotation.step]}.`;
  options.say(`${options.secret}, version ${rotation.version}: ${outcome}`);
}
