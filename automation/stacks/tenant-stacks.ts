import * as z from "zod";
import type { DeployableTenant } from "#database/tenants/deployment.ts";
import { enginesOfJobs, type Job } from "#database/work/jobs.ts";
import type { Environment } from "#domain/environment.ts";
import { tenantStackName } from "#domain/tenants/tenant-stack.ts";
import { bundleDirectory } from "../catalogue/bundles.ts";
import type { StackOrder } from "../engine/order.ts";
import { type EngineRuns, RunFailed } from "../engine/runs.ts";
import type { Run } from "../task.ts";
import { type DeclaredTenant, dashboardSettings } from "./dashboard-settings.ts";
import { runFault } from "./run-fault.ts";
import { recordSteps } from "./step-record.ts";

/**
 * Time for a run to end, in milliseconds. A service that loses its lease notices within 4 s. Another replica takes the job after 5 s at the
 * earliest, then waits 30 s (`engine/run/stack-run.ts`) before it takes the stack: this run must have ended by then.
 */
const END_MS = 15_000;

const consent = z.object({ use_kept_backups: z.boolean().default(false) });

export interface TenantStacksOptions {
  environment: Environment;
  /** Stack that holds the platform. */
  platformStack: string;
  runs: EngineRuns;
}

/** Stacks of the dashboard's clients, each with one tenant. */
export class TenantStacks {
  readonly #options: TenantStacksOptions;

  constructor(options: TenantStacksOptions) {
    this.#options = options;
  }

  /** Deploys the tenant as its rows say. @throws JobRefused if a retry does not help, TaskError if it may */
  async up(job: Job, tenant: DeployableTenant, run: Run, gatewayId = tenant.gatewayId): Promise<void> {
    const { slug, bundleId } = tenant;
    const bundle = bundleId === null ? {} : { tenantBundle: await bundleDirectory(run.db, bundleId) };
    await this.#carryOut(job, run, "up", slug, { ...tenant, gatewayId }, bundle);
  }

  /** Destroys the tenant's stack if it exists. @throws as `up` does */
  async destroy(job: Job, slug: string, run: Run): Promise<void> {
    await this.#carryOut(job, run, "destroy", slug, undefined);
  }

  async #carryOut(
    job: Job,
    run: Run,
    operation: StackOrder["operation"],
    slug: string,
    tenant: DeclaredTenant | undefined,
    bundle: Pick<StackOrder, "tenantBundle"> = {},
  ): Promise<void> {
    const { environment, platformStack, runs } = this.#options;
    const order: StackOrder = {
      stack: tenantStackName(slug, environment),
      adoptBucketOf: slug,
      useKeptBackups: consent.parse(job.payload).use_kept_backups,
      ...bundle,
      operation,
      config: dashboardSettings(environment, platformStack, tenant),
      deadEngines: await enginesOfJobs(run.db, slug),
    };
    const record = recordSteps(run.db, job);
    try {
      await runs.run(order, { ...record, signal: run.signal, endMs: END_MS });
    } catch (error) {
      throw error instanceof RunFailed ? runFault(error, run.attempt) : error;
    } finally {
      await record.written();
    }
  }
}
