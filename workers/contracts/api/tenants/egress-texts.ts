/** Words for people about egress policies, in the dashboard and the console. */
import type { EgressMode } from "#domain/egress/policy-types.ts";
import type { Egress } from "./egress.ts";

export const EGRESS_MODES: Readonly<Record<EgressMode, string>> = {
  open: "Any public host",
  audit: "Any public host, recorded",
  allowlist: "Listed hosts only",
};

export const EGRESS_LAYERS: Readonly<Record<keyof Egress["layers"], string>> = {
  plan: "Plan",
  platform: "Platform",
  partner: "Partner",
  tenant: "Tenant",
};
