import { existsSync } from "node:fs";
import { isSameStack, platformStacksOf } from "#automation/engine/platform-stacks.ts";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { readLoosely } from "../files/stack-file.ts";
import { findTargets } from "../files/target.ts";
import { differenceBy } from "../outcome/prices.ts";
import { eachAtMost } from "../runs/bounded.ts";
import { Deploy } from "../runs/deploy.ts";
import type { RotateOptions } from "./options.ts";

/** Deploys every stack whose file names the platform. @throws Error with each stack that failed */
export async function deployTenantStacks(options: RotateOptions): Promise<void> {
  const { directory, stack, parallel } = options;
  if (!existsSync(directory)) return;
  const targets = (await findTargets({ directory, since: undefined, stacks: [] })).filter(({ stack: name, text }) =>
    platformStacksOf(readLoosely(name, text).config).some((platform) => isSameStack(platform, stack)),
  );
  const difference = differenceBy(DEFAULT_PRICES, new Date().toISOString().slice(0, 10));
  const deploy = new Deploy({ ...options, difference, destroy: false });
  const faults = await eachAtMost(parallel, targets, (target) =>
    deploy.up(target).then(
      () => [],
      (error: unknown) => [`${target.stack}: ${(error as Error).message}`],
    ),
  );
  if (faults.flat().length > 0) throw new Error(`Failed to deploy stacks of tenants.\n${faults.flat().join("\n")}`);
}
