/** Images by the API only, from the catalogue to running containers: rollouts, failures and rollbacks. */
import { EngineClient } from "@tenantry/edge/testing/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import type { Job } from "#workers/contracts/api/jobs.ts";
import type { Image } from "#workers/contracts/api/tenants/images.ts";
import type { Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { GATEWAY, imageVariables } from "#workers/tenant/testing/upgraded-tenant.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { setImages } from "../testing/platform.ts";
import { ProvisionedPlatform, ROOT } from "./testing/provisioned-platform.ts";

type Followed = z.infer<typeof rolloutRoutes.getRollout.answer>;

const reference = (digit: string) => `registry.cloudflare.com/account/gateway@sha256:${digit.repeat(64)}`;
const SOON = { timeout: 240_000, interval: 500 };

let platform: ProvisionedPlatform;
const images: Record<"old" | "new" | "broken", Image> = {} as never;
const ids: Record<string, string> = {};

beforeAll(async () => {
  platform = await ProvisionedPlatform.open();
  await setImages(platform.edge, {
    [reference("1")]: imageVariables({ version: "1.0.0" }),
    [reference("2")]: imageVariables({ version: "2.0.0" }),
    [reference("3")]: imageVariables({ version: "3.0.0", upgrade: "fails" }),
  });
  const add = (digit: string, gateway_version: string) =>
    platform.api<Image>("POST", "/images", { reference: reference(digit), gateway: GATEWAY, gateway_version });
  images.old = await add("1", "1.0.0");
  images.new = await add("2", "2.0.0");
  images.broken = await add("3", "3.0.0");
  await platform.api("PUT", `/images/${images.old.id}`, { default: true });
});
afterAll(() => platform?.close());

const runs = async (slug: string): Promise<Instance["runs"]> => (await platform.instance(ids[slug] ?? "")).runs;
const versions = async () =>
  Promise.all(["first", "second"].map(async (slug) => (await runs(slug)).reported?.gateway_version));
async function ask(slug: string, options: { method?: string; body?: string } = {}) {
  const host = `${slug}.tenantry.localhost`;
  const headers = { ...(await loggedIn(platform.edge, ROOT, host)), "content-type": "application/json" };
  return callUntil(
    () => call(platform.edge, host, "/api/notes", { ...options, headers }),
    ({ status }) => status === 200 || status === 201,
  );
}
const write = (slug: string, text: string) => ask(slug, { method: "POST", body: JSON.stringify({ text }) });
const notes = async (slug: string): Promise<string[]> =>
  JSON.parse((await ask(slug)).body).notes.map(({ text }: { text: string }) => text);
/** Requests a host as a program of a tenant's container does. @returns status and error of the refusal */
async function reach(slug: string, host: string): Promise<string> {
  await ask(slug);
  const { containers } = platform.edge;
  const [container] = containers.instances({ namespace: "tenants", name: `tenant-${slug}` }, "Sandbox");
  const source = `fetch("http://${host}/").then(async (r) => console.log(r.status, (await r.text()).match(/egress_refused/)?.[0]), console.log)`;
  const command = [process.execPath, "-e", source];
  return (await new EngineClient(containers.address).exec(container?.name ?? "", command)).stdout.trim();
}
/** Only `listed.example` is allowed; no host of these names exists. */
async function expectPolicy(slug: string): Promise<void> {
  expect(await reach(slug, "unlisted.example")).toBe("403 egress_refused");
  expect(await reach(slug, "listed.example")).not.toContain("egress_refused");
}
const roll = (image: Image) =>
  platform.api<Rollout>("POST", "/rollouts", { image_id: image.id, waves: [100], soak_minutes: 0, notice_hours: 0 });
async function over({ id }: Rollout): Promise<Followed> {
  const follow = () => platform.api<Followed>("GET", `/rollouts/${id}`);
  await expect.poll(async () => (await follow()).ended_at, SOON).toBeTruthy();
  return follow();
}

test("new tenants run and report the default image and this release's Worker", async () => {
  const clients = await Promise.all(["first", "second"].map((slug) => platform.newClient(slug)));
  await platform.api("PUT", "/client/update", { id: clients[0]?.id, canary: true });
  const asked = await Promise.all(clients.map(({ id }) => platform.provision(id)));
  for (const one of asked) {
    expect(await platform.ended(one.job?.id)).toMatchObject({ status: "succeeded", cause: null });
    ids[one.client.slug] = one.id;
  }
  expect(await runs("first")).toMatchObject({
    image: { reference: images.old.reference, gateway_version: "1.0.0" },
    reported: { gateway: GATEWAY, gateway_version: "1.0.0", worker: expect.stringMatching(/^[0-9a-f]{64}$/) },
    as_wanted: true,
  });
});

test("a policy for egress holds for a running container, and after a restart", async () => {
  const path = `/api/instances/${ids.first}/egress`;
  expect(await reach("first", "unlisted.example")).not.toContain("egress_refused");
  await platform.api("PUT", path, { policy: { mode: "allowlist", entries: [{ host: "listed.example" }] } });
  await expect.poll(() => reach("first", "unlisted.example"), SOON).toBe("403 egress_refused");
  await platform.api("POST", `/client/instance/${ids.first}/restart`);
  await expectPolicy("first");
  expect(await reach("second", "unlisted.example")).not.toContain("egress_refused");
});

let rolledOut: Rollout;
test("a rollout updates the canary, then all tenants, with their data", async () => {
  await write("first", "of the old");
  await write("second", "of the old");
  rolledOut = await roll(images.new);
  const ended = await over(rolledOut);
  expect(ended).toMatchObject({ status: "succeeded", cause: null, tenants: { done: 2 } });
  expect(ended.members.map(({ client, wave }) => [client.slug, wave])).toEqual([
    ["first", 0],
    ["second", 1],
  ]);
  expect(await versions()).toEqual(["2.0.0", "2.0.0"]);
  for (const slug of ["first", "second"]) {
    expect(await notes(slug)).toEqual(["of the old"]);
    expect(await runs(slug)).toMatchObject({ image: { id: images.new.id }, as_wanted: true });
  }
  await expectPolicy("first");
  const listed = await platform.api<{ data: Image[] }>("GET", "/images");
  expect(listed.data.find((image) => image.default)?.id).toBe(images.new.id);
});

test("stops a rollout that breaks the canary, reverts the canary, and changes no other tenant", async () => {
  const ended = await over(await roll(images.broken));
  expect(ended).toMatchObject({ status: "failed", tenants: { failed: 1, skipped: 1 } });
  expect(ended.cause).toMatch(
    /^first: The new version does not run: Failed to upgrade the state to .* 3\.0\.0: .*The former version runs again\.$/,
  );
  const jobs = await platform.api<{ data: Job[] }>("GET", `/jobs?kind=adopt_version&instance_id=${ids.second}`);
  expect(jobs.data).toHaveLength(1);
  expect(await notes("first")).toEqual(["of the old"]);
  expect(await runs("first")).toMatchObject({
    image: { id: images.new.id },
    reported: { gateway_version: "2.0.0" },
    as_wanted: true,
  });
});

test("rolls back all tenants to the former image and state, and backs up later data", async () => {
  await write("first", "of the new");
  await platform.api("POST", `/rollouts/${rolledOut.id}/roll-back`);
  const ended = await over(rolledOut);
  expect(ended).toMatchObject({ status: "rolled_back", tenants: { gone_back: 2 } });
  expect(await versions()).toEqual(["1.0.0", "1.0.0"]);
  expect(await notes("first")).toEqual(["of the old"]);
  // The rollback has restored a backup.
  await expectPolicy("first");
  const { data } = await platform.api<{ data: { gateway: { version: string } | null }[] }>(
    "GET",
    `/client/instance/${ids.first}/backups`,
  );
  expect(new Set(data.map(({ gateway }) => gateway?.version))).toEqual(new Set(["1.0.0", "2.0.0"]));
  const listed = await platform.api<{ data: Image[] }>("GET", "/images");
  expect(listed.data.find((image) => image.default)?.id).toBe(images.old.id);
});

test("changes a single tenant's image for an operator, and refuses one that is too old for its state", async () => {
  const path = `/client/instance/${ids.second}/version`;
  const { id } = await platform.api<Job>("PUT", path, { image_id: images.new.id });
  // A killed service continues with its backup.
  const kinds = async () => (await platform.job(id)).events.map(({ kind }) => kind);
  await expect.poll(kinds, { timeout: 60_000, interval: 50 }).toContain("backed_up");
  platform.killService();
  const there = await platform.ended(id);
  expect(there).toMatchObject({ kind: "adopt_version", status: "succeeded", cause: null });
  expect(there.attempts).toBeGreaterThan(1);
  expect(there.events.filter(({ kind }) => kind === "backed_up")).toHaveLength(1);
  expect(await versions()).toEqual(["1.0.0", "2.0.0"]);
  await expect(platform.api("PUT", path, { image_id: images.old.id })).rejects.toThrow(/newer gateway than 1\.0\.0/);
});
