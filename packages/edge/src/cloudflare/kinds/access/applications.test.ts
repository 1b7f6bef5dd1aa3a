import { afterEach, beforeEach, expect, test } from "vitest";
import { type ApiServer, account_id, domain, startApiServer } from "../../api/testing/api-server.ts";
import { refusal } from "../../api/testing/refusal.ts";

const everyone = [{ everyone: {} }];

let server: ApiServer;
beforeEach(async () => {
  server = await startApiServer();
});
afterEach(() => server.close());

function put(id: string | undefined, policies: unknown[]) {
  const body = { name: "acme", type: "self_hosted", domain: `acme.${domain}`, policies };
  const path = `/accounts/${account_id}/access/apps`;
  return id === undefined
    ? server.cloudflare.post<{ result: { id: string; aud: string } }>(path, { body })
    : server.cloudflare.put<{ result: { id: string; aud: string } }>(`${path}/${id}`, { body });
}

async function policy(name: string, include: object[] = everyone): Promise<string> {
  const { zeroTrust } = server.cloudflare;
  const made = await zeroTrust.access.policies.create({ account_id, name, decision: "allow", include: include as [] });
  return made.id ?? "";
}

const own = (name: string, precedence: number) => ({ name, decision: "bypass", include: everyone, precedence });

test("reusable policies are referenced by id and returned in full, in order of precedence", async () => {
  const [first, second] = [await policy("first"), await policy("second")];
  const references = [
    { id: second, precedence: 2 },
    { id: first, precedence: 1 },
  ];
  const { result } = await put(undefined, references);
  expect(result.aud).toMatch(/^[0-9a-f]{64}$/);
  expect(result).toMatchObject({
    policies: [
      { id: first, name: "first", decision: "allow", precedence: 1 },
      { id: second, name: "second", precedence: 2 },
    ],
  });
  expect(server.store.get("access_application", result.id)?.policies).toEqual([
    { id: first, precedence: 1 },
    { id: second, precedence: 2 },
  ]);
  const inUse = server.cloudflare.zeroTrust.access.policies.delete(first, { account_id });
  expect(await refusal(inUse)).toMatchObject({ status: 400 });
  const { result: changed } = await put(result.id, [second]);
  expect(changed).toMatchObject({ aud: result.aud, policies: [{ id: second, precedence: 1 }] });
});

test("an application's own policies are created and deleted with it", async () => {
  const { result } = await put(undefined, [own("one", 1), own("two", 2)]);
  expect(result).toMatchObject({ policies: [own("one", 1), own("two", 2)] });
  const reusable = await server.cloudflare.zeroTrust.access.policies.list({ account_id });
  expect(reusable.result).toEqual([]);

  const answered = await server.cloudflare.zeroTrust.access.applications.get(result.id, { account_id });
  const [one] = (answered as unknown as { policies: object[] }).policies;
  await put(result.id, [{ ...one, name: "renamed" }]);
  expect(server.store.list("access_policy").map((kept) => kept.name)).toEqual(["renamed"]);

  await server.cloudflare.zeroTrust.access.applications.delete(result.id, { account_id });
  expect(server.store.list("access_policy")).toEqual([]);
});

test("an invalid set of policies changes nothing", async () => {
  const { result } = await put(undefined, [own("one", 1)]);
  const stranger = "00000000-0000-4000-8000-000000000000";
  const group = { ...own("grouped", 2), include: [{ group: { id: stranger } }] };
  for (const policies of [
    [own("a", 1), own("b", 1)],
    [own("a", 1), { id: stranger }],
    [own("a", 1), group],
  ]) {
    expect(await refusal(put(result.id, policies))).toMatchObject({ status: 400, codes: [12130] });
  }
  expect(server.store.list("access_policy").map((kept) => kept.name)).toEqual(["one"]);
});

test("groups and lists in rules must exist, and cannot be deleted while in use", async () => {
  const { zeroTrust } = server.cloudflare;
  const stranger = "00000000-0000-4000-8000-000000000000";
  const unknown = zeroTrust.access.groups.create({
    account_id,
    name: "g",
    include: [{ email_list: { id: stranger } }],
  });
  expect(await refusal(unknown)).toMatchObject({ status: 400, codes: [12130] });

  const list = await zeroTrust.gateway.lists.create({ account_id, name: "members", type: "EMAIL" });
  const include = [{ email_list: { id: list.id ?? "" } }];
  const group = await zeroTrust.access.groups.create({ account_id, name: "members", include });
  await policy("members", [{ group: { id: group.id } }]);
  expect(await refusal(zeroTrust.access.groups.delete(group.id ?? "", { account_id }))).toMatchObject({ status: 400 });
  expect(await refusal(zeroTrust.gateway.lists.delete(list.id ?? "", { account_id }))).toMatchObject({ status: 409 });
});

test("a rule must have one key of a known kind", async () => {
  for (const include of [[{}], [{ everyone: {}, email: { email: "a@example.com" } }], [{ nobody_knows: {} }], []]) {
    expect(await refusal(policy("p", include))).toMatchObject({ status: 400, codes: [12130] });
  }
});

test("items of a list are paged, and an EMAIL list takes addresses only", async () => {
  const { lists } = server.cloudflare.zeroTrust.gateway;
  const items = ["a", "b", "c"].map((name) => ({ value: `${name}@example.com` }));
  const list = await lists.create({ account_id, name: "members", type: "EMAIL", items });
  const pages: number[] = [];
  for await (const page of (await lists.items.list(list.id ?? "", { account_id, per_page: 2 })).iterPages()) {
    pages.push(page.getPaginatedItems().length);
  }
  expect(pages).toEqual([2, 1, 0]);
  const bad = lists.edit(list.id ?? "", { account_id, append: [{ value: "not an address" }] });
  expect(await refusal(bad)).toMatchObject({ status: 400 });
});
