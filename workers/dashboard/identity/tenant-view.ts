/**
 * What a tenant's user sees of a response: addresses of operators, and names that only the platform uses, are left out. Every field keeps its type,
 * so that the response still has the route's schema.
 */
import type { Caller } from "./caller.ts";

/** Stands for anyone but the client's own users, as on the console's pages. */
const OPERATOR = "operator";
/** Of the automation service. */
const SERVICE = "service";

/** Fields with the address of the person who made a change. */
const AUTHORS: ReadonlySet<string> = new Set(["created_by", "requested_by", "acknowledged_by", "actor", "by"]);
/** Fields whose text can name the person who made a change. */
const TEXTS: ReadonlySet<string> = new Set(["cause", "state_cause", "message", "last_error", "reason"]);
/** Values in place of those of the platform. */
const PLATFORM: Readonly<Record<string, null | false | "">> = {
  worker_name: "",
  ai_gateway: null,
  ai_gateway_id: null,
  ai_gateway_pooled: false,
  declared_in: null,
  rollout_id: null,
};
/** Of an image; other objects have references of their own. */
const isImageReference = (name: string, of: object) => name === "reference" && "gateway_version" in of;

const ADDRESS = /[^\s<>()",;:]+@[^\s<>()",;:]+[a-z0-9]/gi;

/** Names the author of a change to a caller. @param author an address, or `service` */
export function authorFor({ email, tenant }: Pick<Caller, "email" | "tenant">, author: string): string {
  if (author === SERVICE) return "The platform";
  return tenant === undefined || author === email || tenant.admins.includes(author) ? author : "Your operator";
}

/** @param value body of a response, whose values are JSON or have `toJSON` */
export function tenantView(value: unknown, { email, tenant }: Pick<Caller, "email" | "tenant">): unknown {
  const known = new Set([email, ...(tenant?.admins ?? [])]);
  const view = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(view);
    if (typeof one !== "object" || one === null || one instanceof Date) return one;
    const entries = Object.entries(one).map(([name, field]) => [name, viewOfField(name, field, one)]);
    return Object.fromEntries(entries);
  };
  const viewOfField = (name: string, field: unknown, of: object): unknown => {
    if (Object.hasOwn(PLATFORM, name) && field !== undefined) return PLATFORM[name];
    if (isImageReference(name, of)) return "";
    if (typeof field !== "string") return view(field);
    if (AUTHORS.has(name)) {
      const isOwn = field === SERVICE || known.has(field) || ("email" in of && of.email === field);
      return isOwn ? field : OPERATOR;
    }
    return TEXTS.has(name) ? field.replaceAll(ADDRESS, (address) => (known.has(address) ? address : OPERATOR)) : field;
  };
  return view(value);
}
