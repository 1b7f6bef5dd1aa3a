import Cloudflare from "cloudflare";
import { expect, test } from "vitest";
import { failedCreate, pendingCreates, removeUnrecorded } from "./pending-creates.ts";

const WRITTEN = "2026-11-23T12:00:00Z";
const TOKEN = "cloudflare:index/accountToken:AccountToken";
const DNS = "cloudflare:index/dnsRecord:DnsRecord";

interface Creating {
  type: string;
  inputs: object;
}

const exported = (resources: { id: string }[], creating: Creating[]) => ({
  manifest: { time: WRITTEN },
  resources,
  pending_operations: creating.map((resource) => ({ type: "creating", resource })),
});

/**
 * An account with lists by the ends of their paths, and the paths of removed resources.
 * @param gone ids of deleted resources that the lists still have
 */
function account(lists: Record<string, object[]>, gone: readonly string[] = []) {
  const removed: string[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(String(input));
    if (gone.some((id) => pathname.includes(`/${id}`))) {
      const errors = [{ code: 1, message: "not found" }];
      return Response.json({ success: false, errors, messages: [], result: null }, { status: 404 });
    }
    if (init?.method?.toUpperCase() === "DELETE") {
      removed.push(pathname.replace("/client/v4", ""));
      return Response.json({ success: true, errors: [], messages: [], result: {} });
    }
    const found = Object.entries(lists).find(([path]) => pathname.endsWith(path))?.[1] ?? [];
    const result = Number(searchParams.get("page") ?? 1) > 1 ? [] : found;
    return Response.json({ success: true, errors: [], messages: [], result });
  };
  return { client: new Cloudflare({ apiToken: "token", fetch, maxRetries: 0 }), removed };
}

test("removes only matching resources that the stack does not have and a run of that time created", async () => {
  const name = "AI gateway of acme";
  const { client, removed } = account({
    "/tokens": [
      { id: "made", name, issued_on: "2026-11-23T12:00:01Z" },
      { id: "before-the-state-was-written", name, issued_on: "2026-11-23T11:58:00Z" },
      // From before a replacement.
      { id: "known", name, issued_on: "2026-11-23T11:59:00Z" },
      { id: "old", name, issued_on: "2026-11-20T12:00:00Z" },
      { id: "timeless", name },
      { id: "other", name: "AI gateway of lab", issued_on: "2026-11-23T12:00:01Z" },
    ],
    "/access/apps": [
      {
        id: "application",
        name: "Tenant acme",
        domain: "acme.example.com",
        policies: [{ id: "policy", precedence: 1 }],
      },
      { id: "anothers", name: "Tenant acme", domain: "acme.example.com", policies: [{ id: "other", precedence: 1 }] },
    ],
    "/dns_records": [
      {
        id: "record",
        name: "acme-dev.example.com",
        type: "AAAA",
        content: "100::",
        created_on: "2026-11-23T12:00:01Z",
      },
      {
        id: "elsewhere",
        name: "acme-dev.example.com",
        type: "AAAA",
        content: "::1",
        created_on: "2026-11-23T12:00:01Z",
      },
    ],
  });
  const dns = { zoneId: "z", name: "acme-dev.example.com", type: "AAAA", content: "100::" };
  const creating = [
    { type: TOKEN, inputs: { accountId: "a", name } },
    { type: DNS, inputs: dns },
    {
      type: "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication",
      inputs: {
        accountId: "a",
        name: "Tenant acme",
        domain: "acme.example.com",
        policies: [{ id: "policy", precedence: 1 }],
      },
    },
    // The provider `tenantry` adopts by name.
    { type: "tenantry:index:NamespacedScript", inputs: { accountId: "a", name } },
  ];
  const state = exported([{ id: "known" }], creating);
  expect(pendingCreates(state)).toHaveLength(3);
  expect(await removeUnrecorded(client, state, { now: state, until: 0 })).toEqual([
    `API token ${name}`,
    `API token ${name}`,
    "DNS record acme-dev.example.com",
    "Access application Tenant acme",
  ]);
  expect(removed).toEqual([
    "/accounts/a/tokens/made",
    "/accounts/a/tokens/before-the-state-was-written",
    "/zones/z/dns_records/record",
    "/accounts/a/access/apps/application",
  ]);
});

test("removes a group of the name only if it has the declared rules", async () => {
  const include = [{ email: { email: "root@example.com" } }];
  const { client, removed } = account({
    "/access/groups": [
      { id: "made", name: "roots", include },
      { id: "foreign", name: "roots", include: [{ email: { email: "eve@example.com" } }] },
    ],
  });
  const type = "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup";
  const state = exported([], [{ type, inputs: { accountId: "a", name: "roots", includes: include } }]);
  expect(await removeUnrecorded(client, state, { now: state, until: 0 })).toEqual(["Access group roots"]);
  expect(removed).toEqual(["/accounts/a/access/groups/made"]);
});

test.each([
  ["cloudflare:index/workersKvNamespace:WorkersKvNamespace", { accountId: "a", title: "index" }],
  ["cloudflare:index/workersRoute:WorkersRoute", { zoneId: "z", pattern: "a.example.com/*", script: "dispatch" }],
  ["cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup", { accountId: "a", name: "roots", includes: [] }],
])("a failed create of %s removes nothing, because another stack may have the object", (type, inputs) => {
  expect(pendingCreates(exported([], [{ type, inputs }]))).toHaveLength(1);
  expect(failedCreate(type, inputs)).toEqual([]);
  expect(failedCreate(TOKEN, inputs)).toHaveLength(1);
});

test("removes nothing when the state has no name", async () => {
  const { client, removed } = account({ "/tokens": [{ id: "made", issued_on: WRITTEN }] });
  const state = exported([], [{ type: TOKEN, inputs: { accountId: "a", name: { secret: "…" } } }]);
  expect(await removeUnrecorded(client, state, { now: state, until: 0 })).toEqual([]);
  expect(removed).toEqual([]);
  expect(pendingCreates({ resources: [] })).toEqual([]);
});

/** A clock on which `then` happens when a client sleeps. */
function clockWith(then: () => void) {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
    then();
  };
  return { now: () => now, sleep };
}

test("re-reads a list that omits what the run created", async () => {
  const made = { id: "made", name: "acme", issued_on: "2026-11-23T12:00:01Z" };
  const tokens: object[] = [];
  const { client, removed } = account({ "/tokens": tokens });
  const state = exported([], [{ type: TOKEN, inputs: { accountId: "a", name: "acme" } }]);
  const clock = clockWith(() => {
    if (clock.now() >= 3_000) tokens.splice(0, 1, made);
  });
  expect(await removeUnrecorded(client, state, { now: state, until: 5_000, clock })).toEqual(["API token acme"]);
  expect({ removed, now: clock.now() }).toEqual({ removed: ["/accounts/a/tokens/made"], now: 3_000 });
});

test("does not take a deleted object that the list still has for the run's own", async () => {
  const issued_on = "2026-11-23T12:00:01Z";
  const tokens: object[] = [{ id: "gone", name: "acme", issued_on }];
  const { client, removed } = account({ "/tokens": tokens, "/namespaces": [{ id: "gone", title: "index" }] }, ["gone"]);
  const kv = "cloudflare:index/workersKvNamespace:WorkersKvNamespace";
  const state = exported(
    [],
    [
      { type: TOKEN, inputs: { accountId: "a", name: "acme" } },
      { type: kv, inputs: { accountId: "a", title: "index" } },
    ],
  );
  const clock = clockWith(() => {
    if (clock.now() === 4_000) tokens.push({ id: "made", name: "acme", issued_on });
  });
  expect(await removeUnrecorded(client, state, { now: state, until: 5_000, clock })).toEqual(["API token acme"]);
  expect({ removed, now: clock.now() }).toEqual({ removed: ["/accounts/a/tokens/made"], now: 5_000 });
});
