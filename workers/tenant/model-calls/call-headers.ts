/** The headers of a call as the AI gateway gets it: who calls is for the Worker to say, and what is asked for the caller. */

import { HOP_BY_HOP } from "@tenantry/std/hop-by-hop";
import * as z from "zod";
import type { TenantEnv } from "../env.ts";

/**
 * Of the vendor's own headers those that a caller may set; all others, known or to come, are left out ("Header Glossary"). These change how a
 * call is made, never whose it is, whether it is counted, what it costs or who pays.
 */
const CALLERS = new Set([
  // Whether an answer may come from the cache, and how long it is kept there.
  "cf-aig-skip-cache",
  "cf-skip-cache",
  "cf-aig-cache-ttl",
  "cf-cache-ttl",
  // How long a provider may take, and how often it is asked; each attempt counts.
  "cf-aig-request-timeout",
  "cf-aig-max-attempts",
  "cf-aig-retry-delay",
  "cf-aig-backoff",
  // Refuses unified billing for a call; it cannot allow it.
  "cf-aig-no-wholesale",
]);

/** Of this connection or of the way here: whose address it is, who may pass, and cookies. */
const NOT_PASSED =
  /^(?:host|cookie|content-length|forwarded|via|true-client-ip|x-real-ip|x-forwarded-.*|cf-.*|x-platform-.*)$/;

/** Entries of metadata that the vendor keeps of a call ("Custom metadata"). */
const MOST_METADATA = 5;
/** Names that are the vendor's own. */
const RESERVED = "cf.";

const callersMetadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Bindings by which the AI gateway knows whose a call is, and what that one may spend. */
type Whose = Pick<TenantEnv, "TENANT_SLUG" | "AI_GATEWAY_TENANT" | "ENVIRONMENT" | "BILLING_PLAN">;

/** Of a caller's request to the AI gateway. A body's length stays known where it was. */
export function callHeaders(given: Headers, env: Whose & Pick<TenantEnv, "CF_AIG_AUTHORIZATION">): Headers {
  const headers = new Headers();
  for (const [name, value] of given) {
    if (CALLERS.has(name) || !(HOP_BY_HOP.has(name) || NOT_PASSED.test(name))) headers.append(name, value);
  }
  // Pieces of an answer come as they are sent when nobody on the way packs them.
  headers.set("accept-encoding", "identity");
  headers.set("cf-aig-authorization", `Bearer ${env.CF_AIG_AUTHORIZATION}`);
  headers.set("cf-aig-metadata", metadata(given.get("cf-aig-metadata"), env));
  return headers;
}

/** The platform's come first, since the vendor keeps the first five; what is unreadable is the caller's loss. */
function metadata(given: string | null, env: Whose): string {
  const platforms = {
    tenant: env.AI_GATEWAY_TENANT ?? env.TENANT_SLUG,
    environment: env.ENVIRONMENT,
    plan: env.BILLING_PLAN,
  };
  const theirs = Object.entries(parsed(given)).filter(([name]) => !(name in platforms) && !name.startsWith(RESERVED));
  const kept = theirs.slice(0, MOST_METADATA - Object.keys(platforms).length);
  return ascii(JSON.stringify({ ...platforms, ...Object.fromEntries(kept) }));
}

function parsed(given: string | null): Record<string, string | number | boolean> {
  try {
    return callersMetadata.parse(JSON.parse(given ?? "{}"));
  } catch {
    return {};
  }
}

/** A header holds no other characters; JSON can tell them all the same. */
const ascii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
