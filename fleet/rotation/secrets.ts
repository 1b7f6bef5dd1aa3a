/** The secrets that `npm run fleet -- rotate` replaces, by the names that it takes. */
import { type RotatingSecret, type RotationStep, rotationSteps } from "../../domain/rotation.ts";

/** A secret that the platform's stack makes. */
export interface MadeSecret {
  setting: RotatingSecret;
  /** Whether the automation service is given it. */
  service: boolean;
  /** Steps that change something in stacks of tenants. */
  tenants: readonly RotationStep[];
}

export const MADE_SECRETS: Readonly<Record<string, MadeSecret>> = {
  "database-logins": { setting: "databaseLogins", service: true, tenants: ["switch"] },
  "invalidate-token": { setting: "invalidateToken", service: true, tenants: ["switch"] },
  "live-token": { setting: "liveToken", service: true, tenants: [] },
  "api-tokens": { setting: "apiTokens", service: false, tenants: [] },
  "tenant-tokens": { setting: "tenantTokens", service: false, tenants: rotationSteps },
};

/** A secret that somebody else issues, and the stack's configuration holds. */
export interface GivenSecret {
  /** Key of the configuration below `tenantry:`. */
  setting: string;
  tenants: boolean;
  /** What to do when nothing uses the old one any more. */
  withdraw: string;
}

const REST = "Nothing uses the old key any more: withdraw it at the REST layer.";

export const GIVEN_SECRETS: Readonly<Record<string, GivenSecret>> = {
  "service-role-key": { setting: "serviceRoleKey", tenants: false, withdraw: REST },
  "rest-api-key": { setting: "restApiKey", tenants: false, withdraw: REST },
  "staging-service-role-key": { setting: "stagingServiceRoleKey", tenants: false, withdraw: REST },
  "staging-rest-api-key": { setting: "stagingRestApiKey", tenants: false, withdraw: REST },
  "provider-key": {
    setting: "providerKeys",
    tenants: true,
    withdraw: "Nothing uses the old key any more: withdraw it at the provider.",
  },
};

/** Encrypts the others in states and files. */
export const PASSPHRASE = "passphrase";

export const rotatedSecrets: readonly string[] = [
  ...Object.keys(MADE_SECRETS),
  ...Object.keys(GIVEN_SECRETS),
  PASSPHRASE,
];
