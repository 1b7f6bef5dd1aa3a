import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { scratchRepository } from "#fleet/testing/repository.ts";
import type { Edge } from "#local/edge.ts";
import { type FleetRun, runFleet } from "../../fleet/testing/fleet-run.ts";
import { sql } from "../../testing/sql.ts";
import { attempt } from "./attempts.ts";

/** Hands a tenant of the dashboard over to Git, deploys it from there, and hands it back. */
export async function handOver(edge: Edge, slug: string): Promise<void> {
  const repository = scratchRepository();
  const file = join(repository.directory, `Pulumi.production-${slug}.yaml`);
  const fleet = (...args: string[]) => attempt(() => succeeded(edge, [...args, "--tenants", repository.directory]));
  const managers = () =>
    sql(
      edge,
      `select c.managed_by as client, i.managed_by as instance from tenantry.clients c
       join tenantry.instances i on i.client_id = c.id where c.slug = $1`,
      [slug],
    );

  await fleet("adopt", slug);
  expect(await managers()).toEqual([{ client: "git", instance: "git" }]);
  expect(readFileSync(file, "utf8")).toContain(`slug: ${slug}`);
  await fleet("up", `production-${slug}`);
  repository.commit();
  await fleet("release", slug);
  expect(existsSync(file)).toBe(false);
  expect(await managers()).toEqual([{ client: "dashboard", instance: "dashboard" }]);
}

async function succeeded(edge: Edge, args: string[]): Promise<FleetRun> {
  const run = await runFleet(edge, args);
  if (run.code !== 0) throw new Error(`${args[0]} exited with ${run.code}:\n${run.progress}${run.output}`);
  return run;
}
