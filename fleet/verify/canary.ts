/** A tenant that exists for one verification, in a stack of its own. */
import { randomBytes } from "node:crypto";
import { undefinedIfNotFound } from "@tenantry/cloudflare-client/not-found";
import { EngineRuns } from "#automation/engine/runs.ts";
import { listStacks } from "#automation/engine/state/backend.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { accountClient } from "../doctor/account/account.ts";
import type { FleetOptions } from "../options.ts";
import { canaryPlan, type RunningPlatform } from "./platform.ts";
import { LEFT_AFTER_MS } from "./service-access.ts";

const REMOVAL_MS = 15 * 60_000;
const SLUG = /^verify-[0-9a-f]{8}$/;

/** Returns the canaries of killed runs: no live run is as old. */
export async function leftCanaries(platform: RunningPlatform, options: FleetOptions): Promise<Canary[]> {
  const prefix = tenantStackName("", platform.environment);
  return (await listStacks(options.variables)).flatMap(({ name, lastUpdate }) => {
    const slug = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const isLeft = SLUG.test(slug) && lastUpdate !== undefined && Date.now() - Date.parse(lastUpdate) > LEFT_AFTER_MS;
    return isLeft ? [new Canary(platform, options, slug)] : [];
  });
}

export class Canary {
  readonly slug: string;
  readonly #platform: RunningPlatform;
  readonly #options: FleetOptions;

  /** @param slug of an existing one. Default: a new one */
  constructor(platform: RunningPlatform, options: FleetOptions, slug = `verify-${randomBytes(4).toString("hex")}`) {
    this.slug = slug;
    this.#platform = platform;
    this.#options = options;
  }

  get stack(): string {
    return tenantStackName(this.slug, this.#platform.environment);
  }

  /** @throws RunFailed */
  async deploy(): Promise<void> {
    await this.#run("up", this.#options.signal);
  }

  /** Also after an interruption, which must not leave a tenant. @throws Error */
  async remove(): Promise<void> {
    // Cloudflare refuses to delete a bucket that holds objects, and production keeps it.
    await this.#emptyBucket();
    await this.#run("destroy", AbortSignal.timeout(REMOVAL_MS));
    if (!(await this.#emptyBucket())) return;
    const { r2 } = await accountClient(this.#options.variables);
    await r2.buckets.delete(this.#bucket, { account_id: this.#platform.accountId });
  }

  get #bucket(): string {
    return tenantNames(this.slug, this.#platform.environment).backupBucket;
  }

  async #run(operation: "up" | "destroy", signal: AbortSignal): Promise<void> {
    const { memoryMib, variables, say } = this.#options;
    const { environment, stack } = this.#platform;
    const client = { slug: this.slug, name: "Verification", plan: canaryPlan(this.#platform) };
    const config = {
      "tenantry:environment": environment,
      "tenantry:platformStack": stack,
      "tenantry:backupBeforeRedeploy": false,
      "tenantry:clients": [client],
    };
    await new EngineRuns({ memoryMib, variables }).run(
      { stack: this.stack, operation, config },
      { onRecovered: say, signal },
    );
  }

  /** @returns whether the bucket exists */
  async #emptyBucket(): Promise<boolean> {
    const account = { account_id: this.#platform.accountId };
    const { objects } = (await accountClient(this.#options.variables)).r2.buckets;
    const first = await undefinedIfNotFound(objects.list(this.#bucket, account));
    if (first === undefined) return false;
    for await (const { key } of first)
      if (key !== undefined) await objects.delete(key, { ...account, bucket_name: this.#bucket });
    return true;
  }
}
