/** A platform that an earlier release deployed, under this one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import * as z from "zod";
import type { Environment } from "../../domain/environment.ts";
import type { Edge } from "../../local/edge.ts";
import { changedResources } from "../testing/engine.ts";
import { loggedIn } from "../testing/http.ts";
import { environmentSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

const ROOT = "root@tenantry.example";
/** Names and types of all that a platform with one tenant is deployed as, sorted. */
const LAYOUT = join(import.meta.dirname, "layout.txt");

const resource = z.looseObject({ urn: z.string(), id: z.string().optional() });
type Resource = z.infer<typeof resource>;

/**
 * Takes state and account back to when the dashboard's application had one group, of the root users that the stack names, which tenants'
 * groups included.
 *
 * @returns that group's id
 */
async function withoutMembers(stack: Stack, edge: Edge, displayName: string): Promise<string> {
  const { version, deployment } = await stack.exportStack();
  const resources = z.array(resource).parse(deployment.resources);
  const one = (end: string): Resource => {
    const found = resources.find(({ urn }) => urn.endsWith(end));
    if (found === undefined) throw new Error(`The state has no ${end}.`);
    return found;
  };
  const [named, application] = [one("ZeroTrustAccessGroup::named"), one("AccessApplication::dashboard")];
  const made = [one("RootUsers::root-users"), one("MemberGroup::root-users"), one("MemberGroup::dashboard")];
  const urn = `${application.urn.replace(/::dashboard$/, "")}$cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup::dashboard`;
  const group = { ...named, urn, parent: application.urn };
  const kept = resources.filter((other) => ![named, application, ...made].includes(other));
  // Each after its parent and what it depends on.
  const place =
    resources.filter((other) => kept.includes(other)).findIndex(({ urn }) => urn.endsWith("Policy::public")) + 1;
  const ordered = [...kept.slice(0, place), application, group, ...kept.slice(place)];

  const groupId = named.id ?? "";
  const dataIds = made.flatMap(({ id = "" }) => id.split("/")[1] ?? []);
  const before = (text: string) => {
    let changed = text.replaceAll("Platform root users", displayName);
    for (const gone of made) changed = changed.replaceAll(gone.urn, urn);
    for (const id of dataIds) changed = changed.replaceAll(id, groupId);
    return changed.replaceAll(named.urn, urn);
  };
  await stack.importStack({
    version,
    deployment: JSON.parse(before(JSON.stringify({ ...deployment, resources: ordered }))),
  });
  for (const kind of ["access_policy", "access_group"] as const) {
    for (const record of edge.store.list(kind)) {
      if (dataIds.includes(record.id)) edge.store.delete(kind, record.id);
      else edge.store.put(kind, JSON.parse(before(JSON.stringify(record))));
    }
  }
  return groupId;
}

test.each([
  ["production", "Tenantry dashboard", "dash.tenantry.localhost", ["update MemberGroup acme"]],
  ["staging", "Tenantry dashboard-staging", "staging-dash.tenantry.localhost", ["update ZeroTrustAccessGroup tenants"]],
] as const satisfies [Environment, string, string, string[]][])(
  "dashboards in %s get members who are data, with nothing replaced or deleted and nobody locked out",
  async (environment, displayName, dashboard, ofTenants) => {
    const edge = await temporaryEdge();
    const stack = await stackOf(edge, environmentSettings(environment, [{ slug: "acme" }]));
    await stack.up();
    const tenant = environment === "staging" ? "acme-staging.tenantry.localhost" : "acme.tenantry.localhost";
    const groupId = await withoutMembers(stack, edge, displayName);
    const before = edge.store.counts();
    for (const host of [dashboard, tenant]) await loggedIn(edge, ROOT, host);

    const changed = [
      "create MemberGroup dashboard",
      "create MemberGroup root-users",
      "create RootUsers root-users",
      "update ZeroTrustAccessGroup named",
      "update ZeroTrustAccessPolicy dashboard",
      ...ofTenants,
    ].toSorted();
    expect((await changedResources(stack, "preview")).toSorted()).toEqual(changed);
    expect((await changedResources(stack, "up")).toSorted()).toEqual(changed);
    expect(edge.store.counts()).toEqual({ ...before, access_group: (before.access_group ?? 0) + 2 });
    expect(edge.store.get("access_group", groupId)?.include).toEqual([{ email: { email: ROOT } }]);
    for (const host of [dashboard, tenant]) await loggedIn(edge, ROOT, host);
    expect(await changedResources(stack, "refresh")).toEqual([]);
    expect(await changedResources(stack, "up")).toEqual([]);
    if (environment === "production") await keepsItsLayout(stack);
  },
);

/** Names of the release before by those of now, as a state has them after `::`, of what was renamed or moved since `layout.txt` was written. */
const RENAMED: Readonly<Record<string, string>> = {};

/**
 * What earlier releases deployed is found again: each resource is called as `layout.txt` has it, or has an alias of that name. A component that is
 * renamed or moved fails here until it has one, and its old name is in {@link RENAMED}; what is new is added to `layout.txt`.
 */
async function keepsItsLayout(stack: Stack): Promise<void> {
  const { version, deployment } = await stack.exportStack();
  const names = z
    .array(resource)
    .parse(deployment.resources)
    .map(({ urn }) => urn.split("::").slice(2).join("::"))
    // Providers go by their versions.
    .filter((name) => !name.startsWith("pulumi:"));
  const known = readFileSync(LAYOUT, "utf8").trim().split("\n");
  expect(names.map((name) => RENAMED[name] ?? name).toSorted()).toEqual(known);
  const under = async (renamed: Readonly<Record<string, string>>) => {
    let text = JSON.stringify(deployment);
    for (const [now, before] of Object.entries(renamed)) text = text.replaceAll(`::${now}"`, `::${before}"`);
    await stack.importStack({ version, deployment: JSON.parse(text) });
    return changedResources(stack, "preview");
  };
  expect(await under(RENAMED)).toEqual([]);
  // Without an alias it would be made anew, and this would see it.
  const bucket = names.find((name) => name.endsWith("R2Bucket::acme")) ?? "";
  expect(await under({ [bucket]: `${bucket}-of-before` })).toEqual(
    expect.arrayContaining(["create R2Bucket acme", "delete R2Bucket acme-of-before"]),
  );
  await stack.importStack({ version, deployment });
}
