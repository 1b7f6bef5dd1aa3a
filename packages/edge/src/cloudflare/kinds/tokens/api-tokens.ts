import { createHash } from "node:crypto";
import * as z from "zod";
import type { Store } from "#account/store.ts";
import { account as accountScope, permissionGroups, zone as zoneScope } from "./permission-groups.ts";
import type { ApiTokenRecord } from "./record.ts";

const policy = z.object({
  effect: z.enum(["allow", "deny"]),
  permission_groups: z.array(z.object({ name: z.string() })),
  resources: z.record(z.string(), z.unknown()),
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export class ApiTokens {
  readonly #store: Store;
  readonly #accountId: string;
  readonly #zoneId: string | undefined;
  /** By SHA-256 of the value; reset when a token changes. */
  #byValue: Map<string, ApiTokenRecord> | undefined;

  /** @param zoneId whose groups can be permitted. Default: none */
  constructor(store: Store, accountId: string, zoneId?: string) {
    this.#store = store;
    this.#accountId = accountId;
    this.#zoneId = zoneId;
    store.onChange(({ kind }) => {
      if (kind === "api_token") this.#byValue = undefined;
    });
  }

  /** @param header `Bearer {value}` @param group name of a permission group @param now milliseconds since the epoch */
  permits(header: string | null, group: string, now: number): boolean {
    const token = this.find(header);
    if (token === undefined || token.status !== "active" || !isInForce(token, now)) return false;
    const policies = z.array(policy).safeParse(token.policies);
    if (!policies.success) return false;
    const concerned = policies.data.filter((one) => this.#concerns(one, group));
    return concerned.length > 0 && concerned.every(({ effect }) => effect === "allow");
  }

  /** Whether a header has one of the account's tokens, which must not leave the edge. */
  isOurs(header: string): boolean {
    return this.find(header) !== undefined || this.find(`Bearer ${header}`) !== undefined;
  }

  /** @param header `Bearer {value}` */
  find(header: string | null): ApiTokenRecord | undefined {
    const value = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    if (value === undefined) return undefined;
    this.#byValue ??= new Map(this.#store.list("api_token").map((token) => [token.value_sha256, token]));
    return this.#byValue.get(sha256(value));
  }

  #concerns({ permission_groups, resources }: z.infer<typeof policy>, group: string): boolean {
    if (!permission_groups.some(({ name }) => name === group)) return false;
    const isOfZone = permissionGroups.some(({ name, scopes }) => name === group && scopes.includes(zoneScope));
    const [base, id] = isOfZone ? [zoneScope, this.#zoneId] : [accountScope, this.#accountId];
    return `${base}.*` in resources || `${base}.${id}` in resources;
  }
}

export function isInForce({ not_before, expires_on }: ApiTokenRecord, now: number): boolean {
  const at = (time: unknown) => (typeof time === "string" ? Date.parse(time) : Number.NaN);
  return !(at(not_before) > now) && !(at(expires_on) <= now);
}
