/** Changes a platform's image, with another gateway in each. */
import { expect, onTestFinished, test } from "vitest";
import type { Edge } from "#local/edge.ts";
import { bundleWorker } from "#workers/bundle.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { GATEWAY, imageVariables } from "#workers/tenant/testing/upgraded-tenant.ts";
import { rolledOut } from "../testing/container-rollout.ts";
import { call, callUntil } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

const HOST = "acme.tenantry.localhost";
const imageOf = (version: string) => `registry.cloudflare.com/account/gateway:${version}`;
const images = {
  [imageOf("1.0.0")]: imageVariables({ version: "1.0.0" }),
  [imageOf("2.0.0")]: imageVariables({ version: "2.0.0" }),
  [imageOf("broken")]: imageVariables({ version: "3.0.0", start: "fails" }),
};

function settings(image: string) {
  const declared = platformSettings([{ slug: "acme" }]);
  return { ...declared, "tenantry:platform": { ...declared["tenantry:platform"], containerImage: image } };
}

test("replaces the gateway with another image, and reports image and Worker in the status, also of one that does not start", async () => {
  const { edge, close } = await openPlatform({ images });
  onTestFinished(close);
  const stack = await stackOf(edge, settings(imageOf("1.0.0")));
  await stack.up();
  const token: string = (await stack.outputs()).invalidateToken?.value;
  const worker = (await bundleWorker("tenant")).contentHash;

  await asked(edge, ({ readiness }) => readiness.ok);
  expect(await statusOf(edge, token)).toMatchObject({ gateway: { name: GATEWAY, version: "1.0.0" }, worker });

  await (await stackOf(edge, settings(imageOf("2.0.0")))).up();
  // From the previous start, until the container is replaced.
  expect(await statusOf(edge, token)).toMatchObject({ gateway: { version: "1.0.0" } });
  await rolledOut(edge, "acme");
  await asked(edge, ({ readiness }) => readiness.ok);
  expect(await statusOf(edge, token)).toMatchObject({ gateway: { name: GATEWAY, version: "2.0.0" }, worker });

  await (await stackOf(edge, settings(imageOf("broken")))).up();
  await asked(edge, ({ readiness }) => readiness.error?.includes("the test image does not start") === true);
  expect(await statusOf(edge, token)).toMatchObject({ gateway: { name: GATEWAY, version: "3.0.0" } });
});

/** Requests the tenant's health, which starts it, until it matches. */
const asked = (edge: Edge, isSo: (health: ReturnType<typeof healthSnapshot.parse>) => boolean) =>
  callUntil(
    () => call(edge, HOST, "/api/health"),
    ({ status, body }) => status === 200 && isSo(healthSnapshot.parse(JSON.parse(body))),
  );

async function statusOf(edge: Edge, token: string): Promise<SandboxStatus> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await call(edge, "_dispatch.tenantry.localhost", "/_status/acme", { headers });
  expect(status, body).toBe(200);
  return sandboxStatus.parse(JSON.parse(body));
}
