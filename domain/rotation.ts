/** Rotation of the platform's secrets without downtime: the new version is valid before its first use, the old one until its last use. */

/** Secrets that the platform's stack generates. */
export const rotatingSecrets = [
  "databaseLogins",
  "invalidateToken",
  "liveToken",
  "apiTokens",
  "tenantTokens",
  "gatewayTokens",
  "ticketKeys",
  "doorsKey",
] as const;
export type RotatingSecret = (typeof rotatingSecrets)[number];

/** `prepare`: both versions are valid, the old one is used. `switch`: both are valid, the new one is used. `done`: only the new one is valid. */
export const rotationSteps = ["prepare", "switch", "done"] as const;
export type RotationStep = (typeof rotationSteps)[number];

export interface Rotation {
  /** Version of the secret that is being introduced or, when done, in use. */
  version: number;
  step: RotationStep;
}

export type Rotations = Readonly<Partial<Record<RotatingSecret, Rotation | undefined>>>;

export const NEVER_ROTATED: Rotation = { version: 1, step: "done" };

/** Secrets of each tenant with one version in use. */
export const tenantSecrets = ["gatewayTokens", "ticketKeys"] as const satisfies readonly RotatingSecret[];

/** Versions of rotated secrets. */
export type SecretVersions = Readonly<Partial<Record<(typeof tenantSecrets)[number], number>>>;

export function secretVersions(rotations: Rotations): SecretVersions {
  const rotated = tenantSecrets.flatMap((secret) => {
    const { used } = validVersions(rotations[secret] ?? NEVER_ROTATED);
    return used === 1 ? [] : [[secret, used] as const];
  });
  return Object.fromEntries(rotated);
}

/** Returns one of two slots. Versions that are valid at the same time never share one. */
export const ofTwo = <T>(version: number, [first, second]: readonly [T, T]): T => (version % 2 === 1 ? first : second);

export const slotName = (name: string, version: number): string => ofTwo(version, [name, `${name}-b`]);

export interface ValidVersions {
  used: number;
  /** The other valid version; undefined without a rotation. */
  other: number | undefined;
}

export function validVersions({ version, step }: Rotation): ValidVersions {
  if (step === "done") return { used: version, other: undefined };
  return step === "prepare" ? { used: version - 1, other: version } : { used: version, other: version - 1 };
}

/** Returns the next step of a rotation, or the first step to another version. */
export function nextStep({ version, step }: Rotation): Rotation {
  if (step === "done") return { version: version + 1, step: "prepare" };
  return { version, step: step === "prepare" ? "switch" : "done" };
}
