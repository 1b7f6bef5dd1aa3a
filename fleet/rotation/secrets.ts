/** The secrets that `npm run fleet -- rotate` replaces, by name. */
import { type RotatingSecret, type RotationStep, rotationSteps } from "#domain/rotation.ts";
import { encryptDoors } from "./doors.ts";
import type { RotateOptions } from "./options.ts";

/** A secret that the platform's stack issues. */
export interface IssuedSecret {
  setting: RotatingSecret;
  /** Whether the automation service uses it. */
  service: boolean;
  tenants: readonly RotationStep[];
  /** Runs while both versions are valid and the new one is used. */
  beforeDone?: (options: RotateOptions) => Promise<void>;
  /** Message of the last step. Default: the old secret is no longer valid. */
  done?: string;
}

export const ISSUED_SECRETS: Readonly<Record<string, IssuedSecret>> = {
  "database-logins": { setting: "databaseLogins", service: true, tenants: ["switch"] },
  "invalidate-token": { setting: "invalidateToken", service: true, tenants: ["switch"] },
  "live-token": { setting: "liveToken", service: true, tenants: [] },
  "api-tokens": { setting: "apiTokens", service: false, tenants: [] },
  "tenant-tokens": { setting: "tenantTokens", service: false, tenants: rotationSteps },
  "gateway-tokens": { setting: "gatewayTokens", service: false, tenants: ["switch"] },
  "ticket-keys": {
    setting: "ticketKeys",
    service: false,
    tenants: ["switch"],
    done:
      "Running gateways load the new key within a minute, and accept tickets of the old one for 10 more minutes. " +
      "Sleeping gateways, and those of earlier images, load it at their next start.",
  },
  "doors-key": { setting: "doorsKey", service: false, tenants: [], beforeDone: encryptDoors },
};

/** A secret of another issuer, in the stack's configuration. */
export interface GivenSecret {
  /** Key in the configuration, without `tenantry:`. */
  setting: string;
  tenants: boolean;
  withdraw: string;
}

const REST = "Nothing uses the old key any more. Revoke it at the REST layer.";

export const GIVEN_SECRETS: Readonly<Record<string, GivenSecret>> = {
  "service-role-key": { setting: "serviceRoleKey", tenants: false, withdraw: REST },
  "rest-api-key": { setting: "restApiKey", tenants: false, withdraw: REST },
  "staging-service-role-key": { setting: "stagingServiceRoleKey", tenants: false, withdraw: REST },
  "staging-rest-api-key": { setting: "stagingRestApiKey", tenants: false, withdraw: REST },
  "provider-key": {
    setting: "providerKeys",
    tenants: true,
    withdraw: "Nothing uses the old key any more. Revoke it at the provider.",
  },
};

/** It encrypts the others in states and files. */
export const PASSPHRASE = "passphrase";

export const rotatedSecrets: readonly string[] = [
  ...Object.keys(ISSUED_SECRETS),
  ...Object.keys(GIVEN_SECRETS),
  PASSPHRASE,
];
