/** Names and values of the fields of audit entries, for people. */
import {
  capitalised,
  formatInstant,
  formatLongDay,
  formatMoney,
  formatMonth,
} from "#workers/dashboard/ui/kit/format.ts";
import { dayName } from "../../clients/detail/window-facts.tsx";
import { ROLE_NAMES } from "../../people/roles.ts";
import { formatValue } from "./differences.ts";

/** Where the column's own name does not say it. */
const LABELS: Readonly<Record<string, string>> = {
  access_aud: "Access application",
  account_name: "Account",
  ai_gateway_id: "AI gateway",
  ai_spend_cap_micros: "Spending cap",
  billing_plan: "Plan",
  bundle_id: "Worker version",
  client_user_id: "User",
  delete_after: "Deletion planned for",
  egress: "Network policy",
  email: "Email address",
  expires_at: "Expires",
  frozen_for: "Frozen because of",
  image_id: "Image",
  is_canary: "Gets new versions first",
  is_pinned: "Stays on its version",
  key_hint: "End of the key",
  maintenance_days: "Maintenance days",
  maintenance_hours: "Maintenance duration",
  maintenance_start: "Maintenance start",
  maintenance_zone: "Maintenance time zone",
  period_end: "Last day",
  period_start: "Month",
  warn_below_micros: "Warning below",
};

const UNIT = /_(micros|id)$/;

/** Such as `Spending cap` for `ai_spend_cap_micros`. */
export const fieldLabel = (field: string): string =>
  LABELS[field] ?? capitalised(field.replace(UNIT, "").replaceAll("_", " "));

type Format = (value: string) => string | undefined;

const roles: Readonly<Record<string, string>> = ROLE_NAMES;

const FORMATS: Readonly<Record<string, Format>> = {
  role: (role) => roles[role],
  maintenance_hours: (hours) => `${hours} h`,
  maintenance_start: (time) => time.slice(0, 5),
  period_start: formatMonth,
};

/** By the end of the field's name. */
const KINDS: readonly (readonly [end: RegExp, format: Format])[] = [
  [/_micros$/, (micros) => formatMoney(Number(micros))],
  [/_(at|after|until|since|deadline)$/, (at) => (Number.isNaN(Date.parse(at)) ? undefined : formatInstant(at))],
  [/^(day|valid_from|period_end)$/, formatLongDay],
];

/** Returns undefined for an empty value. */
export function fieldValue(field: string, value: unknown): string | undefined {
  const text = formatValue(value);
  if (text === undefined) return undefined;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (field === "maintenance_days" && Array.isArray(value)) return value.map(Number).map(dayName).join(", ");
  const format = FORMATS[field] ?? KINDS.find(([end]) => end.test(field))?.[1];
  return format?.(text) ?? text;
}
