import { type AccessGroupRecord, type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MemberGroup } from "#components/resources/member-group.ts";
import { apiStack } from "../testing/api-stack.ts";

const NAME = "Members of acme.example.com";
const ADA = { email: { email: "ada@acme.example" } };
const BEN = { email: { email: "ben@acme.example" } };

let api: ApiServer;
let stack: TestStack;
let roots: string;

beforeAll(async () => {
  api = await startApiServer();
  const { groups } = api.cloudflare.zeroTrust.access;
  const include = [{ email: { email: "root@example.com" } }];
  roots = (await groups.create({ account_id, name: "roots", include })).id ?? "";
  stack = await apiStack(api);
  stack.program(program());
}, 120_000);

beforeEach(() => api.succeeded.clear());

afterAll(async () => {
  await stack?.dispose();
  await api?.close();
});

const program =
  (name = NAME, resourceName = "acme") =>
  async () => {
    const group = new MemberGroup(resourceName, { accountId: account_id, name, groups: [roots] });
    return { groupId: group.groupId };
  };

const live = (name = NAME) => api.store.list("access_group").filter((group) => group.name === name);
const group = (): AccessGroupRecord => {
  const [found, ...others] = live();
  if (found === undefined || others.length > 0) throw new Error("not one group");
  return found;
};
/** The successful calls that changed something. */
const writes = () => [...api.succeeded].filter((call) => !call.startsWith("GET")).sort();

/** Changes the group as somebody with the API does. */
async function edit(change: Partial<Pick<AccessGroupRecord, "include" | "exclude" | "require">>): Promise<void> {
  const { id, ...body } = { ...group(), ...change };
  await api.cloudflare.put(`/accounts/${account_id}/access/groups/${id}`, { body });
}

// The lifecycle of one stack: each test continues from the previous one.
describe("a group of members through the engine", () => {
  test("is created with the given groups, and unchanged afterwards", async () => {
    const result = await stack.stack.up();
    expect(changed(result)).toEqual({ create: 2 });
    expect(group()).toMatchObject({ include: [{ group: { id: roots } }], exclude: [], require: [] });
    expect((await stack.stack.outputs()).groupId?.value).toBe(group().id);
    api.succeeded.clear();
    expect(changed(await stack.stack.refresh())).toEqual({ same: 2 });
    expect(changed(await stack.stack.up())).toEqual({ same: 2 });
    expect(writes()).toEqual([]);
  }, 120_000);

  test("members that are added later are no difference, and not in the state", async () => {
    const { serviceTokens } = api.cloudflare.zeroTrust.access;
    const { id: token_id = "" } = await serviceTokens.create({ account_id, name: "laptop" });
    const token = { service_token: { token_id } };
    await edit({ include: [ADA, ...group().include, token, BEN] });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 2 });
    expect(changed(await stack.stack.up())).toEqual({ same: 2 });
    expect(group().include).toEqual([ADA, { group: { id: roots } }, token, BEN]);
    expect(await stack.state()).not.toMatch(/ada@|ben@/);
    expect(await stack.state()).not.toContain(token_id);
    await edit({ include: [ADA, { group: { id: roots } }, BEN] });
  }, 120_000);

  test("every other rule is a difference that shows only its kind, and is removed; the members stay", async () => {
    await edit({
      include: [...group().include, { everyone: {} }, { email_domain: { domain: "evil.example" } }],
      exclude: [{ email: { email: "cut@acme.example" } }],
      require: [{ geo: { country_code: "CH" } }],
    });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 1, update: 1 });
    const state = await stack.state();
    for (const rule of ["include everyone", "include email_domain", "exclude email", "require geo"])
      expect(state).toContain(JSON.stringify(rule));
    expect(state).not.toMatch(/ada@|ben@|cut@|evil/);
    const shown: string[] = [];
    await stack.stack.preview({ diff: true, onOutput: (text) => shown.push(text) });
    expect(shown.join("")).toContain("include everyone");
    expect(shown.join("")).not.toMatch(/ada@|ben@|cut@|evil/);
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
    expect(group()).toMatchObject({ include: [{ group: { id: roots } }, ADA, BEN], exclude: [], require: [] });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 2 });
  }, 120_000);

  test("a removed or added group is corrected", async () => {
    const { groups } = api.cloudflare.zeroTrust.access;
    const stranger = await groups.create({ account_id, name: "stranger", include: [{ everyone: {} }] });
    await edit({ include: [ADA, BEN, { group: { id: String(stranger.id) } }] });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 1, update: 1 });
    await stack.stack.up();
    expect(group().include).toEqual([{ group: { id: roots } }, ADA, BEN]);
  }, 120_000);

  test("a group of a killed run is adopted with its members, and not created twice", async () => {
    const { id } = group();
    const state = await stack.stack.exportStack();
    const { resources } = state.deployment;
    const without = resources.filter(({ type }: { type: string }) => type !== "tenantry:index:MemberGroup");
    await stack.stack.importStack({ ...state, deployment: { ...state.deployment, resources: without } });
    await edit({ include: [...group().include, { everyone: {} }] });
    expect(changed(await stack.stack.up())).toEqual({ create: 1, same: 1 });
    expect(live()).toHaveLength(1);
    expect(group()).toMatchObject({ id, include: [{ group: { id: roots } }, ADA, BEN] });
  }, 120_000);

  test("another name in the program is no other group, and the adopted one is not deleted", async () => {
    stack.program(program(NAME, "renamed"));
    await stack.stack.up();
    expect(group().include).toContainEqual(ADA);
    stack.program(program());
    await stack.stack.up();
    expect(group().include).toContainEqual(ADA);
  }, 120_000);

  test("another name of the group renames it, with its members", async () => {
    const { id } = group();
    stack.program(program("Members of other.example.com"));
    expect(changed(await stack.stack.up())).toEqual({ same: 1, update: 1 });
    expect(live("Members of other.example.com")).toMatchObject([{ id, include: [{ group: { id: roots } }, ADA, BEN] }]);
  }, 120_000);

  test("a manually deleted group is recreated, and destroy deletes it", async () => {
    const [there] = live("Members of other.example.com");
    await api.cloudflare.zeroTrust.access.groups.delete(there?.id ?? "", { account_id });
    await stack.stack.refresh();
    await stack.stack.up();
    expect(live("Members of other.example.com")).toHaveLength(1);
    const [{ id = "" } = {}] = live("Members of other.example.com");
    const { access } = api.cloudflare.zeroTrust;
    const admits = { account_id, decision: "allow" as const, include: [{ group: { id } }] };
    const used = await access.policies.create({ ...admits, name: "members" });
    const domain = "other.example.com";
    const host = { account_id, type: "self_hosted" as const, name: "other", domain };
    const application = await access.applications.create({ ...host, policies: [{ id: used.id ?? "", precedence: 1 }] });
    await access.policies.create({ ...admits, name: "members" });
    await expect(stack.stack.destroy()).rejects.toThrow("group_in_use");
    // The copy is gone, the policy of the application stays.
    expect(api.store.list("access_policy").map((policy) => policy.id)).toEqual([used.id]);
    await access.applications.delete(application.id ?? "", { account_id });
    await stack.stack.destroy();
    expect(live("Members of other.example.com")).toEqual([]);
    expect(api.store.list("access_policy")).toEqual([]);
  }, 120_000);
});
