/** Secrets with two valid versions during a rotation (`domain/rotation.ts`). */
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { NEVER_ROTATED, type Rotation, slotName, validVersions } from "#domain/rotation.ts";

export interface Rotating<T> {
  /** The version for new requests. */
  used: T;
  /** The version that is also valid during a rotation. */
  other: T | undefined;
}

/** Declares every valid version of a secret, each under its own resource name. */
export function declareRotating<T>(
  name: string,
  rotation: Rotation = NEVER_ROTATED,
  declareVersion: (name: string, version: number) => T,
): Rotating<T> {
  const { used, other } = validVersions(rotation);
  const declare = (version: number) => declareVersion(slotName(name, version), version);
  return { used: declare(used), other: other === undefined ? undefined : declare(other) };
}

/** Declares a password that can be rotated. Its versions are secrets. */
export function rotatingPassword(
  name: string,
  { rotation, length }: { rotation: Rotation | undefined; length: number },
  opts: pulumi.CustomResourceOptions,
): Rotating<pulumi.Output<string>> {
  return declareRotating(name, rotation, (slot, version) => {
    // The first version has no keepers, as in releases without rotations.
    const keepers = version === 1 ? {} : { keepers: { version: String(version) } };
    return pulumi.secret(new random.RandomPassword(slot, { length, special: false, ...keepers }, opts).result);
  });
}
