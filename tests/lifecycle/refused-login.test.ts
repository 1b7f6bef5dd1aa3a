import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { changedResources } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

test("reports once that the provisioner's password was changed, with a remedy that works", async () => {
  const edge = await temporaryPlatform();
  const stack = await stackOf(edge, platformSettings([{ slug: "acme", partner: "globex" }, { slug: "lab" }]));
  await stack.up();
  const before = await stack.exportStack();
  await sql(edge, "alter role tenantry_provisioner password 'by hand'");
  // The providers of this process may have an open connection of the previous run.
  await sql(edge, "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tenantry_provisioner'");

  const faults: string[] = [];
  const onEvent = ({ diagnosticEvent }: EngineEvent) => {
    if (diagnosticEvent?.severity === "error" && diagnosticEvent.message.includes("The database")) {
      faults.push(diagnosticEvent.message);
    }
  };
  await expect(stack.refresh({ onEvent })).rejects.toThrow("The database refuses the user or password");
  expect(faults).toHaveLength(1);
  const pattern = /--replace '([^']+)'/.exec(faults[0] ?? "")?.[1];
  if (pattern === undefined) throw new Error(`no way out in ${faults[0]}`);
  expect((await stack.exportStack()).deployment.resources).toHaveLength(before.deployment.resources.length);

  await stack.up({ replace: [pattern] });
  await stack.refresh();
  expect(await changedResources(stack, "up")).toEqual([]);
});
