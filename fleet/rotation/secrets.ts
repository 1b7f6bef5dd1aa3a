/** The secrets that `npm run fleet -- rotate` replaces, by the names that it takes. */
import { type RotatingSecret, type RotationStep, rotationSteps } from "#domain/rotation.ts";

/** A secret that the platform's stack makes. */
export interface MadeSecret {
  setting: RotatingSecret;
  /** Whether the automation service is given it. */
  service: boolean;
  /** Steps that change something in stacks of tenants. */
  tenants: readonly RotationStep[];
  /** What its last step tells. Default: the old secret is no longer valid. */
  done?: string;
}

export const MADE_SECRETS: Readonly<Record<string, MadeSecret>> = {
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
      "Gateways that run take their new key within a minute, and accept tickets of the old one for 10 minutes more. " +
      "Gateways that sleep, and those of earlier images, take it with their next start.",
  },
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
