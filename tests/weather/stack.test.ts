/** Tenants' lives by the stack, while one in ten calls of the Cloudflare API fails. */
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, onTestFinished, test } from "vitest";
import { settleLostAnswers } from "#automation/engine/run/lost-answers.ts";
import { accountClient } from "#automation/engine/state/recovery.ts";
import { changedResources } from "../testing/engine.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { expectAdded, TENANT } from "./testing/account-counts.ts";
import { attempt } from "./testing/attempts.ts";
import { withRestarts } from "./testing/database-restarts.ts";
import { seedsOf, weatherOf } from "./testing/seeds.ts";

/** Deploys as `fleet -- up` and the automation service do. */
const settled = (stack: Stack) =>
  settleLostAnswers(
    stack,
    { account: () => accountClient(stack), onRecovered: () => {}, signal: new AbortController().signal },
    (onEvent) => stack.up({ onEvent }),
  );

test.each(seedsOf(2, 4))("provisions, changes and removes tenants by the stack under weather %i", async (seed) => {
  const { edge, close } = await openPlatform({ weather: weatherOf(seed) });
  onTestFinished(close);
  const { weather } = edge;
  const before = edge.store.counts();
  const during = withRestarts(edge);
  /** Deploys as a person does, and expects that nothing is left to do. */
  const deploy = async (clients: { slug: string; plan: string; aiGateway?: string }[]) => {
    weather?.pause();
    const stack = await stackOf(edge, platformSettings(clients));
    weather?.resume();
    await attempt(() => during("up", () => settled(stack)));
    weather?.pause();
    expect((await stack.exportStack()).deployment.pending_operations ?? []).toEqual([]);
    expect(await changedResources(stack, "refresh")).toEqual([]);
    // The engine records its own provider only in runs that read a state.
    const isOwn = (change: string) => change !== "delete pulumi default";
    expect((await changedResources(stack, "up")).filter(isOwn)).toEqual([]);
    const rows = await sql(
      edge,
      `select c.slug, c.billing_plan as plan, i.ai_gateway_id as "aiGateway" from tenantry.clients c
       join tenantry.instances i on i.client_id = c.id order by c.slug`,
    );
    expect(rows).toEqual(clients.map((client) => ({ aiGateway: "pool-a", ...client })));
  };

  await deploy([{ slug: "acme", plan: "basic" }]);
  await expectAdded(edge, before, TENANT);
  await deploy([
    { slug: "acme", plan: "pro" },
    { slug: "lab", plan: "enterprise", aiGateway: "tenantry-lab" },
  ]);
  const two = Object.fromEntries(Object.entries(TENANT).map(([kind, count]) => [kind, 2 * count]));
  await expectAdded(edge, before, { ...two, ai_gateway: 1 });
  await deploy([]);
  // Production keeps the backups.
  await expectAdded(edge, before, { bucket: 2 });
});
