/** Every change takes effect, its answer is lost, and lists of the API show it late. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "@tenantry/edge";
import { type ApiServer, account_id, startApiServer } from "@tenantry/edge/testing/api";
import { changed, type TestStack } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MemberGroup } from "#components/resources/member-group.ts";
import { ObjectClasses } from "#components/resources/object-classes.ts";
import { apiStack } from "../testing/api-stack.ts";
import { NAMESPACE, tenantProgram, type Wanted } from "../testing/tenant-program.ts";

const GROUP = "Members of acme.example.com";

let bundle: string;
let api: ApiServer;
let stack: TestStack;
let roots: string | undefined;
/** Shares of faults: lists are always late, and no call fails. */
const LATE_LISTS = Object.fromEntries(
  Object.entries(faults).map(([name, { where }]) => [name, where === "api-lists" ? 1 : 0]),
);
/** Changes whose answer was lost. */
const lost = new Set<string>();

/** Replaces the first answer to each change. */
async function loseFirst({ method, url }: Request): Promise<Response | undefined> {
  const change = `${method} ${new URL(url).pathname}`;
  if (method === "GET" || lost.has(change) || roots === undefined) return undefined;
  lost.add(change);
  return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
}

beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), "tenantry-scripts-"));
  await writeFile(join(bundle, "index.js"), "export class Sandbox {} export default {};");
  api = await startApiServer(loseFirst, { weather: { seed: 1, rates: LATE_LISTS, pace: 3 } });
  await api.cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: NAMESPACE });
  const { groups } = api.cloudflare.zeroTrust.access;
  const include = [{ email: { email: "root@example.com" } }];
  roots = (await groups.create({ account_id, name: "roots", include })).id ?? "";
  stack = await apiStack(api);
}, 120_000);
beforeEach(() => lost.clear());
afterAll(async () => {
  await stack?.dispose();
  await api?.close();
  await rm(bundle, { recursive: true, force: true });
});

const program = (wanted: Wanted = {}) => {
  const tenant = tenantProgram(bundle, wanted);
  return async () => {
    new MemberGroup("acme", { accountId: account_id, name: GROUP, groups: [roots ?? ""] });
    new ObjectClasses("dashboard", {
      accountId: account_id,
      scriptName: "dashboard",
      tag: "v1",
      sqliteClasses: ["Live"],
    });
    return tenant();
  };
};
const rollouts = () => api.store.list("container_application").flatMap(({ rollouts: all }) => all ?? []);

test("creates each resource once", async () => {
  stack.program(program());
  expect(changed(await stack.stack.up())).toEqual({ create: 5 });
  expect([...lost].map((change) => change.split(`${account_id}/`)[1]).toSorted()).toEqual([
    "access/groups",
    "containers/applications",
    "workers/dispatch/namespaces/tenants/scripts/tenant-acme",
    "workers/scripts/dashboard",
  ]);
  expect(api.store.list("container_application")).toHaveLength(1);
  expect(api.store.list("access_group").filter(({ name }) => name === GROUP)).toHaveLength(1);
  expect(api.store.get("script", `${NAMESPACE}/tenant-acme`)).toMatchObject({ migration_tag: "v1" });
  expect(api.store.get("script", "dashboard")).toMatchObject({ migration_tag: "v1" });
  expect(changed(await stack.stack.refresh())).toEqual({ same: 5 });
}, 120_000);

test("replaces containers by one rollout", async () => {
  stack.program(program({ image: "gateway:2" }));
  expect(changed(await stack.stack.up())).toEqual({ same: 4, update: 1 });
  expect([...lost]).toEqual([expect.stringContaining("/rollouts")]);
  expect(rollouts()).toHaveLength(1);
}, 120_000);

test("refuses a group of this name that does not include the platform's groups", async () => {
  const { groups } = api.cloudflare.zeroTrust.access;
  const foreign = "Members of another.example.com";
  const include = [{ email: { email: "eve@example.com" } }];
  await groups.create({ account_id, name: foreign, include }).catch(() => {});
  stack.program(async () => {
    new MemberGroup("another", { accountId: account_id, name: foreign, groups: [roots ?? ""] });
    return program({ image: "gateway:2" })();
  });
  await expect(stack.stack.up()).rejects.toThrow(`'${foreign}' that does not include this platform's groups`);
  expect(api.store.list("access_group").find(({ name }) => name === foreign)?.include).toEqual(include);
}, 120_000);

test("removes each resource", async () => {
  await stack.stack.destroy();
  expect(api.store.list("container_application")).toEqual([]);
  expect(api.store.get("script", `${NAMESPACE}/tenant-acme`)).toBeUndefined();
  expect(api.store.list("access_group").filter(({ name }) => name === GROUP)).toEqual([]);
}, 120_000);
