/** Creates the headers of a model call for the AI gateway. The Worker sets who calls; the caller sets what it asks for. */

import { AI_GATEWAY_METADATA } from "@tenantry/cloudflare-limits/values";
import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import * as z from "zod";
import { OWN_PAYER, PERSON, personOf } from "#domain/ai-gateways/gateway-tenant.ts";
import { jsonOf } from "#workers/shared/env.ts";
import type { TenantEnv } from "../env.ts";

/**
 * The vendor's headers that a caller may set ("Header Glossary"); all others are removed. None of these changes who is charged, whether the
 * call is counted, or its price.
 */
const CALLER_HEADERS = new Set([
  "cf-aig-skip-cache",
  "cf-skip-cache",
  "cf-aig-cache-ttl",
  "cf-cache-ttl",
  // Each attempt counts.
  "cf-aig-request-timeout",
  "cf-aig-max-attempts",
  "cf-aig-retry-delay",
  "cf-aig-backoff",
  // Refuses unified billing for a call; it cannot allow it.
  "cf-aig-no-wholesale",
]);

/** Headers of this connection, its route and its user. */
const REMOVED_HEADERS =
  /^(?:host|cookie|content-length|forwarded|via|true-client-ip|x-real-ip|x-forwarded-.*|cf-.*|x-platform-.*)$/;

/** Prefix of the vendor's own metadata. */
const RESERVED_PREFIX = "cf.";

const callerMetadata = jsonOf(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));

/** Bindings that identify the tenant to the AI gateway and limit its spend. */
type TenantBindings = Pick<TenantEnv, "TENANT_SLUG" | "AI_GATEWAY_TENANT" | "ENVIRONMENT" | "BILLING_PLAN">;

export function callHeaders(given: Headers, env: TenantBindings & Pick<TenantEnv, "CF_AIG_AUTHORIZATION">): Headers {
  const headers = new Headers();
  for (const [name, value] of given) {
    if (CALLER_HEADERS.has(name) || !(HOP_BY_HOP.has(name) || REMOVED_HEADERS.test(name))) headers.append(name, value);
  }
  // Compression would delay the parts of a streamed response.
  headers.set("accept-encoding", "identity");
  headers.set("cf-aig-authorization", `Bearer ${env.CF_AIG_AUTHORIZATION}`);
  headers.set("cf-aig-metadata", metadata(given.get("cf-aig-metadata"), env));
  return headers;
}

/** Marks a call that the tenant pays its provider for. It must not be charged to Cloudflare's unified billing instead. */
export function setOwnPayer(headers: Headers): void {
  addMetadata(headers, OWN_PAYER);
  headers.set("cf-aig-no-wholesale", "true");
}

/** Names the person in the body of a call, unless the caller's metadata does. */
export function setPerson(headers: Headers, person: string): void {
  if (!(PERSON in parseMetadata(headers))) addMetadata(headers, { [PERSON]: person });
}

const parseMetadata = (headers: Headers): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(headers.get("cf-aig-metadata") ?? "{}"));

/** Adds entries before those of the caller, which may be dropped for them. */
function addMetadata(headers: Headers, added: Readonly<Record<string, string>>): void {
  const { tenant, environment, plan, ...callers } = parseMetadata(headers);
  const entries = Object.entries({ tenant, environment, plan, ...added, ...callers });
  headers.set("cf-aig-metadata", toAscii(JSON.stringify(Object.fromEntries(entries.slice(0, AI_GATEWAY_METADATA)))));
}

/** The platform's entries come first, since the vendor stores the first five. Malformed metadata of the caller is ignored. */
function metadata(given: string | null, env: TenantBindings): string {
  const own = {
    tenant: env.AI_GATEWAY_TENANT ?? env.TENANT_SLUG,
    environment: env.ENVIRONMENT,
    plan: env.BILLING_PLAN,
  };
  const callers = Object.entries(callerMetadata.safeParse(given).data ?? {}).filter(
    ([name]) => !(name in own) && !(name in OWN_PAYER) && !name.startsWith(RESERVED_PREFIX),
  );
  const person = personOf(Object.fromEntries(callers));
  const named = callers.filter(([name]) => name !== PERSON);
  const accepted = [...(person === undefined ? [] : [[PERSON, person] as const]), ...named];
  const most = AI_GATEWAY_METADATA - Object.keys(own).length;
  return toAscii(JSON.stringify({ ...own, ...Object.fromEntries(accepted.slice(0, most)) }));
}

/** Escapes characters that a header cannot contain. */
const toAscii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
