/** OpenClaw's own web tools under an egress policy. A name that the policy intercepts has synthetic addresses, which they may refuse. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { order } from "./testing/dashboard.ts";
import { ADA, LiveTenant } from "./testing/live-tenant.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const ALLOWED = "allowed.vendor.test";
const REFUSED = "refused.vendor.test";

describe.skipIf(PROGRAM === undefined)("OpenClaw's web tools", () => {
  const server = createServer((request, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end(`The pears of ${request.headers.host} are ripe.`),
  );
  let directory: string;
  let tenant: LiveTenant;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-web-"));
    const at = `127.0.0.1:${await listen(server, { port: 0 })}`;
    tenant = await LiveTenant.open(PROGRAM ?? "", directory, [], { internet: { [ALLOWED]: at, [REFUSED]: at } });
  });
  afterAll(async () => {
    await tenant?.close();
    await closeAndCut(server);
    rmSync(directory, { recursive: true, force: true });
  });

  const fetchPage = (host: string) => tenant.invoke(ADA, "web_fetch", { url: `http://${host}/pears` });

  test("reach listed hosts only, and report why others are refused", async () => {
    const layers = [{ mode: "allowlist", entries: [{ host: ALLOWED }] }];
    const ordered = await order(tenant, "PUT", "/_egress/acme", { revision: randomUUID(), layers, sealed: [] });
    expect(ordered).toMatchObject({ status: 204 });
    expect(await fetchPage(ALLOWED)).toMatchObject({ status: 200, body: expect.stringContaining("pears of allowed") });
    expect((await fetchPage(REFUSED)).body).not.toContain("ripe");
    const reported = async () => (await order(tenant, "GET", "/_egress/acme")).body;
    await expect.poll(reported).toMatch(new RegExp(`"${REFUSED}"[^}]*"not-listed"`));
  });
});
