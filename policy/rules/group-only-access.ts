import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { DASHBOARD_PUBLIC_PATHS, HEALTH_PATH, STAGING_PUBLIC_PATHS } from "#domain/access/access-addresses.ts";
import { ENVIRONMENT_SUFFIX } from "#domain/environment.ts";
import { RESERVED_SLUGS } from "#domain/names/slug.ts";
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
 * Who enters a tenant's host or the dashboard is in a group (spec: "Existing access applications are reconciled to a group-only allow policy"): each
 * policy of an Access application allows groups and nothing else, but at the public paths (`domain/access/access-addresses.ts`), where the platform's
 * public one may stand. What an application's policies are is known by what the stack declares, so that one which it only names is refused.
 */
export const groupOnlyAccess: StackValidationPolicy = {
  name: "group-only-access",
  description: "Access applications allow groups and nothing else, but at the platform's public paths.",
  enforcementLevel: "mandatory",
  validateStack: ({ resources }, report) => {
    for (const application of resources.filter(({ type }) => type === ACCESS_APPLICATION)) {
      const guarded = addressesOf(application).filter((address) => !isPublic(address));
      if (guarded.length === 0) continue;
      for (const fault of faultsOf(application)) report(`${guarded.join(", ")} ${fault}.`, application.urn);
    }
  },
};

function faultsOf(application: PolicyResource): string[] {
  const { policies } = readAccessApplication(application);
  const declared = (application.propertyDependencies.policies ?? []).filter(({ type }) => type === ACCESS_POLICY);
  const faults = declared
    .filter((policy) => !allowsGroupsOnly(readAccessPolicy(policy)) || isPublicPolicy(policy.urn))
    .map(({ name }) => `has the policy ${name}, which allows others than groups: leave it to public paths`);
  if (policies === LATER) return faults;
  if (policies.length > declared.length) {
    faults.push("has policies that this stack does not declare: declare one that allows a group");
  }
  if (policies.length === 0) faults.push("has no policy: declare one that allows a group");
  return faults;
}

function allowsGroupsOnly({ decision, includes }: AccessPolicy): boolean {
  if (decision !== LATER && decision !== "allow") return false;
  if (includes === LATER) return true;
  return (
    includes.length > 0 &&
    includes.every((rule) => rule === LATER || (Object.keys(rule).length > 0 && Object.keys(rule).every(isGroup)))
  );
}

const isGroup = (kind: string): boolean => kind === "group";

/** What an application stands at, as far as that is known: a host, or a host with a path. */
function addressesOf(application: PolicyResource): string[] {
  const { domain, selfHostedDomains, destinations } = readAccessApplication(application);
  const uris = destinations === LATER ? [] : destinations.map((entry) => (entry === LATER ? LATER : entry.uri));
  const all = [domain, ...(selfHostedDomains === LATER ? [] : selfHostedDomains), ...uris];
  return [...new Set(all.filter((address) => typeof address === "string"))];
}

/** Whether anyone may reach an address: a path of the dashboard's or of tenants' hosts, or what lies below it. */
function isPublic(address: string): boolean {
  const [host = "", ...rest] = address.replace(/^https?:\/\//, "").split("/");
  const path = `/${rest.join("/")}`;
  return publicPaths(host).some((one) => path === one || path.startsWith(`${one}/`));
}

function publicPaths(host: string): readonly string[] {
  const [label = ""] = host.split(".");
  if (RESERVED_SLUGS.has(label)) return DASHBOARD_PUBLIC_PATHS;
  return label.endsWith(ENVIRONMENT_SUFFIX.staging) ? STAGING_PUBLIC_PATHS : [HEALTH_PATH];
}
