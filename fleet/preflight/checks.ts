import type { Check } from "./check.ts";
import { accountChecks } from "./checks/account.ts";
import { apiChecks, clockChecks } from "./checks/api.ts";
import { backendChecks } from "./checks/backend.ts";
import { databaseChecks } from "./checks/database.ts";
import { imageChecks } from "./checks/image.ts";
import { mailChecks } from "./checks/mail.ts";
import { nameChecks } from "./checks/names.ts";
import { permissionChecks } from "./checks/permissions.ts";
import { productChecks } from "./checks/products.ts";
import { quotaChecks } from "./checks/quota.ts";
import { restChecks } from "./checks/rest.ts";
import type { Requirements } from "./requirements.ts";

export { apiChecks };

/** Checks that need Cloudflare's API. */
export const cloudflareChecks = (requirements: Requirements): Check[] => [
  ...clockChecks,
  ...permissionChecks,
  ...accountChecks,
  ...productChecks,
  ...quotaChecks,
  ...nameChecks(requirements),
  ...imageChecks,
];

export const otherChecks: readonly Check[] = [...databaseChecks, ...restChecks, ...mailChecks, ...backendChecks];
