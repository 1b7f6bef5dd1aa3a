import type { GroupListResponse } from "cloudflare/resources/zero-trust/access/groups.js";
import type { Kysely } from "kysely";
import { dashboardMembers, membersBySlug } from "#database/people/members.ts";
import type { DB } from "#database/types.ts";
import { memberAddress, memberGroupName, rootGroupName } from "#domain/access/member-group.ts";
import { dashboardHostname, tenantHostname } from "#domain/names/hostnames.ts";
import type { AccountArgs } from "./account/account-resource.ts";

export interface GroupMembers {
  group: string;
  /** Slug; null for the dashboard. */
  tenant: string | null;
  /** In lower case. */
  inGroup: readonly string[];
  /** Addresses in groups that it includes, which stacks declare. */
  included: readonly string[];
  /** In lower case. */
  inDatabase: readonly string[];
}

/** Returns the members of each group that exists and that the database has members for. `fleet drift` reports missing groups. */
export async function readMembers({ client, platform }: AccountArgs, db: Kysely<DB>): Promise<GroupMembers[]> {
  const { environment, domain, accountId } = platform;
  const groups: GroupListResponse[] = [];
  for await (const group of client.zeroTrust.access.groups.list({ account_id: accountId })) groups.push(group);
  const [dashboard, bySlug] = await Promise.all([dashboardMembers(db), membersBySlug(db)]);
  const host = dashboardHostname(environment, domain);
  // In staging, one application for root users guards all tenants.
  const tenants = environment === "staging" ? [] : [...bySlug];
  const expected: Pick<GroupMembers, "group" | "tenant" | "inDatabase">[] = [
    { group: rootGroupName(host), tenant: null, inDatabase: dashboard.roots },
    { group: memberGroupName(host), tenant: null, inDatabase: dashboard.partnerRoots },
    ...tenants.map(([slug, inDatabase]) => ({
      group: memberGroupName(tenantHostname(slug, environment, domain)),
      tenant: slug,
      inDatabase,
    })),
  ];
  return expected.flatMap((members) => {
    const found = groups.find(({ name }) => name === members.group);
    if (found === undefined) return [];
    const included = includedIn(found).flatMap((id) => groups.filter((group) => group.id === id).flatMap(addressesOf));
    return [{ ...members, inGroup: addressesOf(found), included }];
  });
}

const addressesOf = ({ include = [] }: GroupListResponse): string[] =>
  include.flatMap((rule) => memberAddress(rule)?.toLowerCase() ?? []);

const includedIn = ({ include = [] }: GroupListResponse): string[] =>
  include.flatMap((rule) => ("group" in rule ? rule.group.id : []));
