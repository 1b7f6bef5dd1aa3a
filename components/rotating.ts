/** Secrets of which a second version is valid while they are rotated (`domain/rotation.ts`). */
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { NEVER_ROTATED, type Rotation, slotName, validVersions } from "#domain/rotation.ts";

export interface Rotating<T> {
  /** What callers use. */
  used: T;
  /** What is valid too while a rotation is under way. */
  other: T | undefined;
}

/**
 * Declares every valid version of a secret.
 *
 * @param make declares one version under a resource name of its own
 */
export function rotating<T>(
  name: string,
  rotation: Rotation = NEVER_ROTATED,
  make: (name: string, version: number) => T,
): Rotating<T> {
  const { used, other } = validVersions(rotation);
  const declared = (version: number) => make(slotName(name, version), version);
  return { used: declared(used), other: other === undefined ? undefined : declared(other) };
}

/** A password that can be rotated. Secrets. */
export function rotatingPassword(
  name: string,
  { rotation, length }: { rotation: Rotation | undefined; length: number },
  opts: pulumi.CustomResourceOptions,
): Rotating<pulumi.Output<string>> {
  return rotating(name, rotation, (slot, version) => {
    // The first version has no keepers, as releases before rotations declared it.
    const keepers = version === 1 ? {} : { keepers: { version: String(version) } };
    return pulumi.secret(new random.RandomPassword(slot, { length, special: false, ...keepers }, opts).result);
  });
}
