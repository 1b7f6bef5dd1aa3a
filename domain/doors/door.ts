/** Doors: public webhook endpoints of tenants, `https://hooks.{domain}/{key}`. */
import { type WebhookKind, webhookKinds } from "@tenantry/webhooks/kinds";

export const doorKinds = webhookKinds;
export type DoorKind = WebhookKind;

export const doorStates = ["active", "disabled"] as const;
export type DoorState = (typeof doorStates)[number];

/** How long the former key or secrets are accepted after a rotation, in seconds: vendors and users need time to change theirs. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
/** Paths below `/hooks/` that OpenClaw handles itself. */
const OWN_PATHS: readonly string[] = ["agent", "wake"];

/** Returns why a name is invalid, with the remedy; `undefined` if it is valid. The check of `tenantry.doors` has the same rules. */
export function doorNameFault(name: string, kind: DoorKind): string | undefined {
  if (!NAME.test(name)) return "must have 1 to 40 lower-case letters, digits and inner hyphens";
  if (kind !== "openclaw" && OWN_PATHS.includes(name))
    return `is a path of the gateway itself; choose another than ${name}`;
  return undefined;
}
