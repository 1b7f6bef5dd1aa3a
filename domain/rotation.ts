/** How a secret of the platform is replaced while it is in use: the new one is valid before it is used, and the old one until nobody uses it. */

/** Secrets that the platform's stack makes itself. */
export const rotatingSecrets = [
  "databaseLogins",
  "invalidateToken",
  "liveToken",
  "apiTokens",
  "tenantTokens",
  "gatewayTokens",
  "ticketKeys",
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

/** Of a secret that was never rotated. */
export const NEVER_ROTATED: Rotation = { version: 1, step: "done" };

/** Secrets of which each tenant has its own and one version is used at a time. */
export const tenantSecrets = ["gatewayTokens", "ticketKeys"] as const satisfies readonly RotatingSecret[];

/** The versions of those that were rotated. */
export type SecretVersions = Readonly<Partial<Record<(typeof tenantSecrets)[number], number>>>;

export function secretVersions(rotations: Rotations): SecretVersions {
  const rotated = tenantSecrets.flatMap((secret) => {
    const { used } = validVersions(rotations[secret] ?? NEVER_ROTATED);
    return used === 1 ? [] : [[secret, used] as const];
  });
  return Object.fromEntries(rotated);
}

/** Which of two a version has: versions that are valid at the same time never share one. */
export const ofTwo = <T>(version: number, [first, second]: readonly [T, T]): T => (version % 2 === 1 ? first : second);

/** Name of what holds a version. */
export const slotName = (name: string, version: number): string => ofTwo(version, [name, `${name}-b`]);

export interface ValidVersions {
  /** The version that callers use. */
  used: number;
  /** The version that is valid too; undefined unless a rotation is under way. */
  other: number | undefined;
}

export function validVersions({ version, step }: Rotation): ValidVersions {
  if (step === "done") return { used: version, other: undefined };
  return step === "prepare" ? { used: version - 1, other: version } : { used: version, other: version - 1 };
}

/** What comes after `rotation`: another version, or the next step of the one that is under way. */
export function nextStep({ version, step }: Rotation): Rotation {
  if (step === "done") return { version: version + 1, step: "prepare" };
  return { version, step: step === "prepare" ? "switch" : "done" };
}
