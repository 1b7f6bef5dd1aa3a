import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { deploy } from "../../local/start/deployment.ts";
import { platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

function settings(defaultModel: string) {
  const whole = platformSettings([]);
  return { ...whole, "tenantry:platform": { ...whole["tenantry:platform"], defaultModel } };
}

/** Deploys as `npm start` does. @returns the resources it changed, and whether it ran the engine's update */
async function run(stack: Stack): Promise<{ changed: string[]; updates: number }> {
  const changed: string[] = [];
  const before = (await stack.history()).length;
  await deploy(stack, { onStep: ({ phase, type, name }) => phase === "done" && changed.push(`${type} ${name}`) });
  return { changed, updates: (await stack.history()).length - before };
}

test("skips the update when nothing changes, but not when an output alone does", async () => {
  const edge = await temporaryEdge();
  const stack = await stackOf(edge, settings("openai/gpt-5"));
  expect((await run(stack)).changed).not.toEqual([]);
  expect(await run(stack)).toEqual({ changed: [], updates: 0 });
  // Nothing of this stack shows it; the stacks of tenants read it.
  await stackOf(edge, settings("openai/gpt-6"));
  expect(await run(stack)).toEqual({ changed: [], updates: 1 });
  expect((await stack.outputs()).platform?.value).toMatchObject({ defaultModel: "openai/gpt-6" });
  expect(await run(stack)).toEqual({ changed: [], updates: 0 });
});
