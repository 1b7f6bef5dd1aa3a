import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as cloudflare from "@pulumi/cloudflare";
import type { EngineEvent, PolicyEvent, Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { ACCOUNT_ID } from "#local/account.ts";
import { ROOT } from "../testing/engine.ts";
import { stackOf, temporaryEdge } from "../testing/platform.ts";

const settingsFile = z.object({ config: z.record(z.string(), z.unknown()) });

/** Previews with the policy pack, as a pipeline does. @returns whether the preview passed, and the rules' messages */
async function preview(stack: Stack, config?: string): Promise<{ passed: boolean; said: PolicyEvent[] }> {
  const said: PolicyEvent[] = [];
  const passed = await stack
    .preview({
      policyPacks: [join(ROOT, "policy/run")],
      ...(config && { policyPackConfigs: [config] }),
      onEvent: ({ policyEvent }: EngineEvent) => {
        if (policyEvent !== undefined) said.push(policyEvent);
      },
    })
    .then(() => true)
    .catch((error: Error) => {
      if (said.some(({ enforcementLevel }) => enforcementLevel === "mandatory")) return false;
      throw error;
    });
  return { passed, said };
}

test("passes the demo, and refuses a stack that admits everyone or violates a stricter setting", async () => {
  const edge = await temporaryEdge();
  const { config } = settingsFile.parse(parse(readFileSync(join(ROOT, "Pulumi.local.yaml"), "utf8")));
  const stack = await stackOf(edge, config);
  expect(await preview(stack)).toEqual({ passed: true, said: [] });

  const { program } = stack.workspace;
  stack.workspace.program = async () => {
    const includes = [{ everyone: {} }];
    const args = { accountId: ACCOUNT_ID, name: "For a demonstration", decision: "allow", includes };
    new cloudflare.ZeroTrustAccessPolicy("planted", args);
    return program?.();
  };
  const settings = join(edge.directory, "policies.json");
  const containers = { pro: "standard-1" };
  await writeFile(settings, JSON.stringify({ "plan-limits": { enforcementLevel: "mandatory", containers } }));
  const { passed, said } = await preview(stack, settings);
  expect(passed).toBe(false);
  expect(said).toEqual([
    expect.objectContaining({
      policyName: "access-for-everyone",
      enforcementLevel: "mandatory",
      resourceUrn: expect.stringMatching(/::planted$/),
      message: expect.stringContaining("The Access policy planted allows everyone. Allow a group instead."),
    }),
    expect.objectContaining({
      policyName: "plan-limits",
      enforcementLevel: "mandatory",
      message: expect.stringContaining(
        "The containers of acme have the type standard-2, but the plan pro has standard-1. Set the plan's type, or configure the rule's containers.",
      ),
    }),
  ]);
});
