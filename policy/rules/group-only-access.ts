import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { DASHBOARD_PUBLIC_PATHS, HEALTH_PATH, STAGING_PUBLIC_PATHS } from "#domain/access/access-addresses.ts";
import { ENVIRONMENT_SUFFIX } from "#domain/environment.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { policyErrors } from "#domain/errors/stack/policies.ts";
import { dispatchHostname, hooksHostname } from "#domain/names/hostnames.ts";
import { DASHBOARD_LABEL } from "#domain/names/slug.ts";
import { LATER } from "../known.ts";
import {
  ACCESS_APPLICATION,
  ACCESS_POLICY,
  type AccessPolicy,
  readAccessApplication,
  readAccessPolicy,
} from "../resources.ts";
import { isPublicPolicy } from "./access-for-everyone.ts";

/**
 * Access applications allow only groups, except at public paths (`domain/access/access-addresses.ts`). Only declared policies can be checked,
 * so others are rejected.
 */
export const groupOnlyAccess: StackValidationPolicy = {
  name: "group-only-access",
  description: "Access applications allow only groups, except at the platform's public paths.",
  enforcementLevel: "mandatory",
  validateStack: ({ resources }, report) => {
    for (const application of resources.filter(({ type }) => type === ACCESS_APPLICATION)) {
      const guarded = addressesOf(application).filter((address) => !isPublic(address));
      if (guarded.length === 0) continue;
      for (const fault of faultsOf(application, guarded.join(", "))) report(fault, application.urn);
    }
  },
};

function faultsOf(application: PolicyResource, addresses: string): string[] {
  const { policies } = readAccessApplication(application);
  const declared = (application.propertyDependencies.policies ?? []).filter(({ type }) => type === ACCESS_POLICY);
  const faults = declared
    .filter((policy) => !allowsGroupsOnly(readAccessPolicy(policy)) || isPublicPolicy(policy.urn))
    .map(({ name }) => errorText(policyErrors.access_policy_beyond_groups, { addresses, policy: name }));
  if (policies === LATER) return faults;
  if (policies.length > declared.length) {
    faults.push(errorText(policyErrors.access_policy_not_declared, { addresses }));
  }
  if (policies.length === 0) faults.push(errorText(policyErrors.access_policy_missing, { addresses }));
  return faults;
}

function allowsGroupsOnly({ decision, includes }: AccessPolicy): boolean {
  if (decision !== LATER && decision !== "allow" && decision !== "non_identity") return false;
  if (includes === LATER) return true;
  return (
    includes.length > 0 &&
    includes.every((rule) => rule === LATER || (Object.keys(rule).length > 0 && Object.keys(rule).every(isGroup)))
  );
}

const labelOf = (host: string): string => host.split(".")[0] ?? "";

/**
 * First labels of staging's hosts whose requests the dispatch Worker authenticates: the platform's own have its bearer token, and webhooks
 * their vendor's signature.
 */
const STAGING_PUBLIC_LABELS: readonly string[] = [dispatchHostname, hooksHostname].map((host) =>
  labelOf(host("staging", "")),
);
const DASHBOARD_LABELS: readonly string[] = Object.values(DASHBOARD_LABEL);

const isGroup = (kind: string): boolean => kind === "group";

function addressesOf(application: PolicyResource): string[] {
  const { domain, selfHostedDomains, destinations } = readAccessApplication(application);
  const uris = destinations === LATER ? [] : destinations.map((entry) => (entry === LATER ? LATER : entry.uri));
  const all = [domain, ...(selfHostedDomains === LATER ? [] : selfHostedDomains), ...uris];
  return [...new Set(all.filter((address) => typeof address === "string"))];
}

/** Whether an address is public: a public path of the dashboard or of tenants, or a sub-path. */
function isPublic(address: string): boolean {
  const [host = "", ...rest] = address.replace(/^https?:\/\//, "").split("/");
  if (STAGING_PUBLIC_LABELS.includes(labelOf(host))) return true;
  const path = `/${rest.join("/")}`;
  return publicPaths(host).some((open) => path === open || path.startsWith(`${open}/`));
}

function publicPaths(host: string): readonly string[] {
  const label = labelOf(host);
  if (DASHBOARD_LABELS.includes(label)) return DASHBOARD_PUBLIC_PATHS;
  return label.endsWith(ENVIRONMENT_SUFFIX.staging) ? STAGING_PUBLIC_PATHS : [HEALTH_PATH];
}
