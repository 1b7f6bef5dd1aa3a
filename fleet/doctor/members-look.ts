/** Who may enter by the account's Access groups, beside whom the database knows. */
import type { GroupListResponse } from "cloudflare/resources/zero-trust/access/groups.js";
import type { Kysely } from "kysely";
import { dashboardMembers, membersBySlug } from "#database/people/members.ts";
import type { DB } from "#database/types.ts";
import { memberAddress, memberGroupName, rootGroupName } from "#domain/access/member-group.ts";
import { dashboardHostname, tenantHostname } from "#domain/names/hostnames.ts";
import type { AccountArgs } from "./account/thing.ts";

export interface GroupMembers {
  /** Name of the Access group. */
  group: string;
  /** Slug; null for the dashboard. */
  tenant: string | null;
  /** Addresses in the group, in lower case. */
  inGroup: readonly string[];
  /** Addresses in the groups that it includes, which stacks declare. */
  included: readonly string[];
  /** Addresses that the database has for it, in lower case. */
  inDatabase: readonly string[];
}

/** Each group of members that the account has and the database has members for. A missing group is a stack's: `fleet drift` shows it. */
export async function lookAtMembers({ client, platform }: AccountArgs, db: Kysely<DB>): Promise<GroupMembers[]> {
  const { environment, domain, accountId } = platform;
  const groups: GroupListResponse[] = [];
  for await (const group of client.zeroTrust.access.groups.list({ account_id: accountId })) groups.push(group);
  const [dashboard, bySlug] = await Promise.all([dashboardMembers(db), membersBySlug(db)]);
  const host = dashboardHostname(environment, domain);
  // In staging one application guards all tenants, for root users alone.
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
  return expected.flatMap((one) => {
    const found = groups.find(({ name }) => name === one.group);
    if (found === undefined) return [];
    const included = includedIn(found).flatMap((id) => groups.filter((group) => group.id === id).flatMap(addressesOf));
    return [{ ...one, inGroup: addressesOf(found), included }];
  });
}

const addressesOf = ({ include = [] }: GroupListResponse): string[] =>
  include.flatMap((rule) => memberAddress(rule)?.toLowerCase() ?? []);

const includedIn = ({ include = [] }: GroupListResponse): string[] =>
  include.flatMap((rule) => ("group" in rule ? rule.group.id : []));
