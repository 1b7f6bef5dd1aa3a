/** Stacks of one tenant each, whose clients the dashboard owns. */
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
import { StepRecord } from "./step-record.ts";

/**
 * How long a run may take to end, in milliseconds. Where the service has lost its lease it is told to within 4 s; another replica takes the
 * job over after 5 s at the soonest, and then waits 30 s (`engine/run/stack-run.ts`) before it takes the stack: by then this run has to be gone.
 */
const END_MS = 15_000;

/** What the API asks for with a provisioning. */
const consent = z.object({ use_kept_backups: z.boolean().default(false) });

export interface TenantStacksOptions {
  environment: Environment;
  /** Stack that holds the platform. */
  platformStack: string;
  runs: EngineRuns;
}

export class TenantStacks {
  readonly #options: TenantStacksOptions;

  constructor(options: TenantStacksOptions) {
    this.#options = options;
  }

  /**
   * Brings the tenant's stack to what the dashboard holds of it, each step recorded with the job as it happens.
   *
   * @param gatewayId AI gateway that it is to bind. Default: the one of its row
   * @throws JobRefused for what does not pass by itself, TaskError for what may
   */
  async up(job: Job, tenant: DeployableTenant, run: Run, gatewayId = tenant.gatewayId): Promise<void> {
    const { slug, bundleId } = tenant;
    const tenantBundle = bundleId === null ? undefined : await bundleDirectory(run.db, bundleId);
    await this.#carryOut(job, run, "up", slug, { ...tenant, gatewayId }, tenantBundle);
  }

  /** Takes all of the tenant's stack away, and the stack. One that is not there is gone already. @throws as `up` does */
  async destroy(job: Job, slug: string, run: Run): Promise<void> {
    await this.#carryOut(job, run, "destroy", slug, undefined);
  }

  async #carryOut(
    job: Job,
    run: Run,
    operation: StackOrder["operation"],
    slug: string,
    tenant: DeclaredTenant | undefined,
    tenantBundle?: string,
  ): Promise<void> {
    const { environment, platformStack, runs } = this.#options;
    const order: StackOrder = {
      stack: tenantStackName(slug, environment),
      adoptBucketOf: slug,
      useKeptBackups: consent.parse(job.payload).use_kept_backups,
      ...(tenantBundle !== undefined && { tenantBundle }),
      operation,
      config: dashboardSettings(environment, platformStack, tenant),
      deadEngines: await enginesOfJobs(run.db, slug),
    };
    const record = new StepRecord(run.db, job);
    try {
      await runs.run(order, {
        onStep: (step) => record.step(step),
        onEngine: (pid) => record.engine(pid),
        onRecovered: (what) => record.note(what),
        signal: run.signal,
        endMs: END_MS,
      });
    } catch (error) {
      throw error instanceof RunFailed ? runFault(error, run.attempt) : error;
    } finally {
      await record.written();
    }
  }
}
