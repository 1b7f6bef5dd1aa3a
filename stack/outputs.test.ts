import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { resolved } from "#components/testing/declared.ts";
import { fakePlatform } from "#components/testing/fakes.ts";
import { type OutputError, readTenantryOutputs } from "./outputs.ts";

/** Outputs of the stack `organization/tenantry/prod`, as the engine returns them. */
const deployed = {
  outputs: {
    tenants: { acme: "acme.agents.example.com" },
    dashboard: "dash.agents.example.com",
    platform: fakePlatform,
    databaseUrl: "postgres://provisioner:hush@db.example.com/tenantry",
    serviceUrl: {},
  },
  secretOutputNames: ["databaseUrl", "serviceUrl"],
};

/** Mocks an engine with that one stack, and its outputs if given. */
async function stack(outputs: Record<string, unknown> = deployed.outputs): Promise<void> {
  const known = { ...deployed, outputs };
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name }) => ({ id: name, state: { name, ...known } }),
      call: ({ inputs }) =>
        inputs.name === "organization/tenantry/prod"
          ? known
          : // As gRPC has errors: the SDK reads no more of one than this.
            Promise.reject(Object.assign(new Error(), { details: `unknown stack "${inputs.name}"` })),
    },
    "tenantry",
    "unit",
  );
}

const fault = (error: Promise<unknown>): Promise<Pick<OutputError, "fault" | "message">> =>
  error.then(
    () => Promise.reject(new Error("It was read.")),
    ({ fault, message }: OutputError) => ({ fault, message }),
  );

test("reads requested outputs, and keeps secrets secret", async () => {
  await stack();
  const { tenants, platform, databaseUrl } = await readTenantryOutputs("prod", ["tenants", "platform", "databaseUrl"]);
  expect(tenants).toEqual({ acme: "acme.agents.example.com" });
  expect(platform.zoneId).toBe("zone");
  expect(await pulumi.isSecret(databaseUrl)).toBe(true);
  expect(await resolved(databaseUrl)).toBe(deployed.outputs.databaseUrl);
});

test("names a missing stack", async () => {
  await stack();
  expect(await fault(readTenantryOutputs("tenantry/nowhere", ["tenants"]))).toEqual({
    fault: "no-stack",
    message: "there is no stack tenantry/nowhere; check its name",
  });
});

test("names a missing output", async () => {
  await stack({ tenants: {} });
  expect(await fault(readTenantryOutputs("prod", ["tenants", "platform"]))).toEqual({
    fault: "no-output",
    message:
      "the stack organization/tenantry/prod has no output platform: it holds no deployed platform, or one without it; run pulumi up there first, or name the platform's stack",
  });
  await stack({});
  expect(await fault(readTenantryOutputs("prod", ["tenants"]))).toEqual({
    fault: "no-output",
    message:
      "the stack organization/tenantry/prod has no output tenants: it was never deployed; run pulumi up there first",
  });
});

test("names a secret that could not be decrypted, only when it is requested", async () => {
  await stack();
  expect(await fault(readTenantryOutputs("prod", ["serviceUrl"]))).toEqual({
    fault: "unreadable-secret",
    message:
      "the secret serviceUrl of the stack organization/tenantry/prod cannot be read; give both stacks the same secrets provider and passphrase",
  });
});

test("reports an output of another version", async () => {
  await stack({ ...deployed.outputs, platform: { ...fakePlatform, version: 2 } });
  expect(await fault(readTenantryOutputs("prod", ["platform"]))).toEqual({
    fault: "other-version",
    message:
      "the output platform of the stack organization/tenantry/prod was written by another version; run pulumi up there first",
  });
});
