import Cloudflare from "cloudflare";
import { expect, onTestFinished, test, vi } from "vitest";
import { SCRIPT_LIMITS } from "#domain/plans/plan.ts";
import { ACCOUNT_ID } from "#local/account.ts";
import { addMembers } from "#local/start/demo.ts";
import { changedResources } from "../testing/engine.ts";
import { loggedIn } from "../testing/http.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

test("updates only the tenant whose plan changed, and uploads nothing", async () => {
  const edge = await temporaryPlatform();
  const clients = [{ slug: "acme", plan: "basic" }, { slug: "lab" }];
  const stack = await stackOf(edge, platformSettings(clients));
  await stack.up();
  const script = (slug: string) => edge.store.get("script", `tenants/tenant-${slug}`);
  const text = (name: string) => script("acme")?.bindings.find((binding) => binding.name === name)?.text;
  const before = script("lab");
  const token = text("GATEWAY_TOKEN");
  const written = watchScripts();

  await stackOf(edge, platformSettings([{ slug: "acme", plan: "pro" }, { slug: "lab" }]));
  const preview = await stack.preview({ diff: true });
  expect(preview.stdout).toMatch(/~ BACKUP_STORAGE_BYTES: \{\s*~ text: "8000000000" => "12000000000"/);
  expect(preview.stdout).toMatch(/~ SLEEP_AFTER_SECONDS *: \{\s*~ text: "1800" => "7200"/);
  expect(preview.stdout).not.toContain("[secret]");
  expect((await changedResources(stack, "up")).toSorted()).toEqual([
    "update ContainerApplication acme",
    "update DatabaseRecord client-acme",
    "update NamespacedScript acme",
  ]);
  expect(script("acme")).toMatchObject({
    limits: { cpu_ms: SCRIPT_LIMITS.cpuMs, subrequests: SCRIPT_LIMITS.subrequests },
    tags: expect.arrayContaining(["plan:pro"]),
  });
  expect(["BACKUP_STORAGE_BYTES", "SLEEP_AFTER_SECONDS", "GATEWAY_TOKEN"].map(text)).toEqual([
    "12000000000",
    "7200",
    token,
  ]);
  expect(await changedResources(stack, "preview")).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);

  // The enterprise plan has no numbers.
  await stackOf(edge, platformSettings([{ slug: "acme", plan: "enterprise" }, { slug: "lab" }]));
  await stack.up();
  expect([text("BACKUP_STORAGE_BYTES"), text("SLEEP_AFTER_SECONDS")]).toEqual([undefined, undefined]);
  // A name is in the database only.
  await stackOf(edge, platformSettings([{ slug: "acme", plan: "enterprise", name: "Acme Inc." }, { slug: "lab" }]));
  expect(await changedResources(stack, "up")).toEqual(["update DatabaseRecord client-acme"]);
  expect(written()).toEqual(["PATCH tenant-acme/settings", "PATCH tenant-acme/settings"]);
  expect(script("lab")).toEqual(before);

  // The default model applies to all tenants.
  expect(text("DEFAULT_MODEL")).toBe("openai/gpt-5-mini");
  const { "tenantry:platform": platform, ...rest } = platformSettings([
    { slug: "acme", plan: "enterprise", name: "Acme Inc." },
    { slug: "lab" },
  ]);
  const defaultModel = "anthropic/claude-sonnet-4-5";
  await stackOf(edge, { ...rest, "tenantry:platform": { ...platform, defaultModel } });
  expect((await changedResources(stack, "up")).toSorted()).toEqual([
    "update NamespacedScript acme",
    "update NamespacedScript lab",
  ]);
  expect(text("DEFAULT_MODEL")).toBe(defaultModel);
});

/** Returns later writes of the providers to scripts, as `METHOD path`. */
function watchScripts(): () => string[] {
  const calls = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => calls.mockRestore());
  return () =>
    calls.mock.calls.flatMap(([address, { method = "GET" } = {}]) => {
      const [, path] = /\/scripts\/(.*)$/.exec(String(address)) ?? [];
      return path === undefined || /get/i.test(method) ? [] : [`${method.toUpperCase()} ${path}`];
    });
}

test("reports manual changes on refresh, and reverts them on up", async () => {
  const edge = await temporaryPlatform();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }]));
  await stack.up();
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  const account = { account_id: ACCOUNT_ID };
  const application = edge.store.list("access_application").find(({ domain }) => domain === "acme.tenantry.localhost");
  const everyone = await api.zeroTrust.access.policies.create({
    ...account,
    name: "everyone",
    decision: "allow",
    include: [{ everyone: {} }],
  });
  if (application === undefined || everyone.id === undefined) throw new Error("nothing to drift");
  await api.zeroTrust.access.applications.update(application.id, {
    ...account,
    name: application.name,
    domain: application.domain,
    type: "self_hosted",
    policies: [...application.policies, { id: everyone.id, precedence: 3 }],
  });
  await api.r2.buckets.delete("tenantry-backups-acme", account);

  const drift = await changedResources(stack, "refresh");
  expect(drift).toContain("update ZeroTrustAccessApplication acme");
  expect(drift).toContain("delete R2Bucket acme");

  const repaired = await changedResources(stack, "up");
  expect(repaired).toContain("create R2Bucket acme");
  expect(repaired).toContain("update ZeroTrustAccessApplication acme");
  expect(edge.store.get("access_application", application.id)?.policies).toEqual(application.policies);
  expect(edge.store.get("bucket", "tenantry-backups-acme")).toBeDefined();
  expect(await changedResources(stack, "up")).toEqual([]);
});

test("keeps members that were added to a tenant's group, and removes other rules", async () => {
  const edge = await temporaryPlatform();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }]));
  await stack.up();
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  await addMembers(api, ACCOUNT_ID, "Members of acme.tenantry.localhost", ["ada@acme.example"]);
  const group = () => {
    const [found] = edge.store.list("access_group").filter(({ name }) => name === "Members of acme.tenantry.localhost");
    if (found === undefined) throw new Error("no group");
    return found;
  };
  expect(await changedResources(stack, "refresh")).toEqual([]);
  expect(await changedResources(stack, "up")).toEqual([]);
  expect(group().include).toContainEqual({ email: { email: "ada@acme.example" } });
  await loggedIn(edge, "ada@acme.example", "acme.tenantry.localhost");

  edge.store.put("access_group", { ...group(), include: [...group().include, { everyone: {} }] });
  await loggedIn(edge, "stranger@example.com", "acme.tenantry.localhost");
  expect(await changedResources(stack, "refresh")).toEqual(["update MemberGroup acme"]);
  expect(await changedResources(stack, "up")).toEqual(["update MemberGroup acme"]);
  await expect(loggedIn(edge, "stranger@example.com", "acme.tenantry.localhost")).rejects.toThrow(/refused/);
  await loggedIn(edge, "ada@acme.example", "acme.tenantry.localhost");
  expect(JSON.stringify(await stack.exportStack())).not.toContain("ada@acme.example");
});
