/** A client's life by the dashboard and the automation service, while one in ten calls of the Cloudflare API fails. */
import { expect, onTestFinished, test } from "vitest";
import type { Job } from "#workers/contracts/api/jobs.ts";
import { dashboardSteps } from "../fleet/testing/dashboard-steps.ts";
import { ProvisionedPlatform, ROOT } from "../provisioning/testing/provisioned-platform.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { expectAdded, TENANT } from "./testing/account-counts.ts";
import { attempt, expectReadable } from "./testing/attempts.ts";
import { withRestarts } from "./testing/database-restarts.ts";
import { handOver } from "./testing/handover.ts";
import { passMinutes } from "./testing/minutes.ts";
import { seedsOf, weatherOf } from "./testing/seeds.ts";

const HOST = "acme.tenantry.localhost";
const CONTAINER = { namespace: "tenants", name: "tenant-acme" };
const RETRIES = 2;

test.each(seedsOf(2))(
  "provisions, changes, restores, hands over and deletes a client by the dashboard under weather %i",
  async (seed) => {
    const platform = await ProvisionedPlatform.open([], weatherOf(seed));
    onTestFinished(() => platform.close());
    const { edge } = platform;
    onTestFinished(passMinutes(edge));
    const before = edge.store.counts();
    const during = withRestarts(edge);

    /** Waits for a job and retries a failed one, as a person does who reads why it failed. */
    const done = (job: Pick<Job, "id"> | null | undefined) => during("job", () => doneAtLast(job));
    const doneAtLast = async (job: Pick<Job, "id"> | null | undefined) => {
      let ended = await platform.ended(job?.id);
      for (let retry = 0; ended.status !== "succeeded" && retry < RETRIES; retry += 1) {
        expect(ended.cause).toBeTruthy();
        expectReadable(ended.cause ?? "");
        const again = await platform.api<Job>("POST", `/jobs/${ended.id}/retry`);
        ended = await platform.ended(again.id);
      }
      for (const { message } of ended.events) expectReadable(message);
      expect(ended).toMatchObject({ status: "succeeded", cause: null });
    };
    const ask = async (options: { method?: string; body?: string } = {}) =>
      call(edge, HOST, "/api/notes", {
        ...options,
        headers: { ...(await loggedIn(edge, ROOT, HOST)), "content-type": "application/json" },
      });
    const write = async (text: string) => {
      const written = () => ask({ method: "POST", body: JSON.stringify({ text }) });
      await callUntil(written, ({ status }) => status === 201);
    };
    const notes = async () => {
      const { body } = await callUntil(ask, ({ status }) => status === 200);
      return (JSON.parse(body) as { notes: { text: string }[] }).notes.map(({ text }) => text);
    };

    edge.weather?.resume();
    const client = await platform.newClient("acme");
    const { id: instance, job: provisioning } = await platform.provision(client.id);
    await done(provisioning);
    expect(await platform.instance(instance)).toMatchObject({ status: "running", state_cause: null });
    await done((await platform.changePlan(instance, "pro")).job);
    await dashboardSteps(platform).joins("acme", "ann@acme.example");

    await write("first");
    let backup = "";
    await attempt(async () => {
      backup = await platform.backUp(instance);
    });
    await write("second");
    await done(await platform.restore(instance, backup));
    expect(await notes()).toEqual(["first"]);
    await handOver(edge, "acme");

    await write("third");
    // As the weather does when it evicts a container.
    const evicted = edge.containers.instances(CONTAINER, "Sandbox");
    for (const { name } of evicted) await edge.containers.stopContainer(name, "terminate");
    // A request may have started another one already.
    const remaining = () =>
      edge.containers
        .instances(CONTAINER, "Sandbox")
        .filter(({ startedAt }) => evicted.some((one) => one.startedAt === startedAt));
    await expect.poll(remaining, { timeout: 60_000 }).toEqual([]);
    expect((await notes()).toSorted()).toEqual(["first", "third"]);

    edge.weather?.pause();
    await expectAdded(edge, before, TENANT);
    expect(await platform.instance(instance)).toMatchObject({ status: "running", billing_plan: "pro" });
    edge.weather?.resume();

    await done((await platform.remove(instance)).job);
    edge.weather?.pause();
    // Production keeps the backups.
    await expectAdded(edge, before, { bucket: 1 });
  },
);
