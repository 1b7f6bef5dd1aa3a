import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchRepository } from "../../fleet/testing/repository.ts";
import { clientSettings, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { runFleet } from "./testing/fleet-run.ts";

test("dump", async () => {
  const edge = await temporaryEdge();
  await (await stackOf(edge, platformSettings([]))).up();
  const repository = scratchRepository();
  const config = {
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings([{ slug: "acme" }]),
  };
  repository.write("prod-acme", `config: ${JSON.stringify(config)}\n`);
  const up = await runFleet(edge, ["up", "--tenants", repository.directory]);
  expect(up).toMatchObject({ code: 0 });
  cpSync(join(edge.directory, "pulumi"), "/tmp/dstate", { recursive: true });
});
