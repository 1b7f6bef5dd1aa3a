/** Account, zone, certificate and Zero Trust organization. */
import * as z from "zod";
import { preflightAccountErrors as errors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { wildcardHostname } from "#domain/names/hostnames.ts";
import { type Check, failed, type Outcome, passed, skipped, warned } from "../check.ts";
import { faultOf, isDenied, isSuccess } from "../cloudflare.ts";
import type { Requirements } from "../requirements.ts";

const zone = z.object({
  name: z.string(),
  status: z.string(),
  paused: z.boolean().default(false),
  account: z.object({ id: z.string() }),
});
const pack = z.object({ hosts: z.array(z.string()).default([]), status: z.string(), type: z.string().optional() });
const organization = z.object({ auth_domain: z.string().optional() });
const identityProvider = z.object({ name: z.string().default(""), type: z.string().default("") });

export const accountChecks: readonly Check[] = [
  { id: "account", title: "Account", run: checkAccount },
  { id: "zone", title: "Zone", run: checkZone },
  { id: "certificate", title: "Certificate", run: checkCertificate },
  { id: "access_organization", title: "Zero Trust organization", run: checkOrganization },
  { id: "identity_provider", title: "Identity provider", run: checkIdentityProvider },
];

async function checkAccount({ api, settings }: Requirements): Promise<Outcome> {
  const { accountId: account } = settings.platform;
  const answer = await api.get(`/accounts/${account}`);
  return isSuccess(answer)
    ? passed(account)
    : failed(errors.preflight_account_not_found, { account, fault: faultOf(answer) });
}

async function checkZone({ api, settings }: Requirements): Promise<Outcome> {
  const { accountId: account, zoneId, domain } = settings.platform;
  const answer = await api.get(`/zones/${zoneId}`);
  if (!isSuccess(answer)) return failed(errors.preflight_zone_not_found, { zone: zoneId, fault: faultOf(answer) });
  const { name, status, paused, account: owner } = zone.parse(answer.envelope?.result);
  if (owner.id !== account) return failed(errors.preflight_zone_of_other_account, { name, found: owner.id, account });
  if (domain !== name && !domain.endsWith(`.${name}`))
    return failed(errors.preflight_domain_outside_zone, { domain, name });
  if (status !== "active") return failed(errors.preflight_zone_inactive, { name, status });
  return paused ? failed(errors.preflight_zone_paused, { name }) : passed(name);
}

/** Cloudflare's universal certificate covers the zone and one label below it (developers.cloudflare.com/ssl/edge-certificates/universal-ssl). */
async function checkCertificate({ api, settings }: Requirements): Promise<Outcome> {
  const { zoneId, domain } = settings.platform;
  // Of every environment: the label has no dot.
  const host = wildcardHostname("production", domain);
  const listed = await api.list(`/zones/${zoneId}/ssl/certificate_packs`);
  if ("refused" in listed) {
    if (isDenied(listed.refused)) return skipped(errors.preflight_certificate_unknown, { host });
    return failed(preflightErrors.preflight_check_failed, { fault: `${faultOf(listed.refused)}.` });
  }
  const packs = z.array(pack).parse(listed.items);
  const covering = packs.find(
    ({ hosts, status }) => status === "active" && hosts.some((one) => one.toLowerCase() === host),
  );
  return covering === undefined
    ? failed(errors.preflight_certificate_missing, { host })
    : passed(`${host}, ${covering.type ?? "active"}`);
}

async function checkOrganization({ api, settings }: Requirements): Promise<Outcome> {
  const answer = await api.get(`/accounts/${settings.platform.accountId}/access/organizations`);
  if (!isSuccess(answer)) return refusedAccess(answer);
  const { auth_domain: found = "" } = organization.parse(answer.envelope?.result ?? {});
  const { accessIssuer } = settings.connections;
  const host = URL.canParse(accessIssuer) ? new URL(accessIssuer).hostname : accessIssuer;
  return host === found ? passed(found) : failed(errors.preflight_access_issuer_differs, { host, found });
}

async function checkIdentityProvider({ api, settings }: Requirements): Promise<Outcome> {
  const listed = await api.list(`/accounts/${settings.platform.accountId}/access/identity_providers`);
  if ("refused" in listed) return refusedAccess(listed.refused);
  const found = z.array(identityProvider).parse(listed.items);
  if (found.length === 0) return warned(errors.preflight_identity_provider_missing);
  return passed(found.map(({ name, type }) => name || type).join(", "));
}

function refusedAccess(answer: Parameters<typeof isDenied>[0]): Outcome {
  const permission = "Access: Organizations, Identity Providers, and Groups (Read)";
  if (isDenied(answer)) return skipped(preflightErrors.preflight_check_without_permission, { permission });
  return failed(preflightErrors.preflight_check_failed, { fault: `${faultOf(answer)}.` });
}
