import type { Kysely } from "kysely";
import { readPool } from "#database/billing/credit-pool.ts";
import { readSpendingCap } from "#database/billing/spending-cap.ts";
import { listChannels } from "#database/channels/channels.ts";
import { listProviderKeys } from "#database/provider-keys/provider-keys.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { instanceVersion } from "#database/versions/versions.ts";
import { openJob } from "#database/work/job-list.ts";
import { channel } from "#domain/entities/channel.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { doctorRunErrors } from "#domain/errors/tenants/doctor.ts";
import type { DoctorReport, doctorRoutes } from "#workers/contracts/api/tenants/doctor.ts";
import type { DoctorRun, DoctorReport as GatewayReport } from "#workers/contracts/tenant/doctor.ts";
import type { Settings } from "../../env.ts";
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { sendInstanceEvent } from "../events.ts";
import { instanceBody } from "../instances/body.ts";
import { requesterOf } from "../instances/data-handlers.ts";
import { knownHealth, probeInstance } from "../instances/health.ts";
import { requireActive } from "../instances/operations.ts";
import { requireInstance } from "../required.ts";
import { findingsOf, type Known } from "./findings.ts";

export const doctorHandlers: Handlers<typeof doctorRoutes> = {
  async getDoctor({ db, settings, params, caller, release }) {
    const found = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const stored = await storedOf(db, settings.ENVIRONMENT, found, await caller);
    await release();
    return reportOf(settings, found, stored);
  },

  async runDoctor({ db, settings, params, caller, release }) {
    const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.doctor_ordered", caller.email);
    const stored = await storedOf(db, settings.ENVIRONMENT, found, caller);
    await release();
    return reportOf(settings, found, stored, await new TenantOrders(settings).runDoctor(found.client.slug));
  },

  async repairByDoctor({ db, settings, params, caller, release }) {
    const found = await requireActive(db, settings.ENVIRONMENT, params.instance_id);
    await sendInstanceEvent(db, found, "instance.doctor_repair_ordered", caller.email);
    const stored = await storedOf(db, settings.ENVIRONMENT, found, caller);
    await release();
    const { slug } = found.client;
    return reportOf(
      settings,
      found,
      stored,
      await new TenantOrders(settings).repairByDoctor(slug, requesterOf(caller)),
    );
  },
};

interface Stored extends Pick<Known, "instance" | "incidents" | "channels" | "keys" | "credit" | "spending"> {
  /** As of {@link probeInstance}. */
  isForTenant: boolean;
}

async function storedOf(
  db: Kysely<DB>,
  environment: Environment,
  found: KnownInstance,
  { tenant }: Pick<Caller, "tenant">,
): Promise<Stored> {
  const { id } = found;
  const job = await openJob(db, environment, id);
  const { status, state_cause, job: openedJob, runs } = instanceBody(found, job, await instanceVersion(db, id));
  const [{ incidents }, channels, keys, credit, spending] = await Promise.all([
    knownHealth(db, found),
    listChannels(db, environment, id),
    listProviderKeys(db, environment, id),
    readPool(db, found.client.id),
    readSpendingCap(db, found.client.id),
  ]);
  return {
    instance: { status, state_cause, job: openedJob, runs },
    incidents,
    isForTenant: tenant !== undefined,
    channels: channels.map((one) => bodyOf(channel, one)),
    keys: keys.map((one) => bodyOf(providerKey, one)),
    credit,
    spending,
  };
}

/** @param ordered report of a run that was ordered. Default: the tenant's present one */
async function reportOf(
  settings: Settings,
  found: KnownInstance,
  { isForTenant, ...stored }: Stored,
  ordered?: GatewayReport,
): Promise<DoctorReport> {
  const orders = new TenantOrders(settings);
  const { slug } = found.client;
  const isHalted = found.status === "frozen" || found.status === "stopped";
  const settled = <T>(reading: () => Promise<T>): Promise<T | undefined> =>
    isHalted ? Promise.resolve(undefined) : reading().catch(() => undefined);
  const [probed, status, backups, egress, report] = await Promise.all([
    isHalted ? undefined : probeInstance(orders, found, isForTenant),
    settled(() => orders.status(slug)),
    settled(() => orders.backups(slug)),
    settled(() => orders.egress(slug)),
    ordered ?? settled(() => gatewayReport(orders, slug)),
  ]);
  const { gateway = null, sandbox = null } = probed ?? {};
  const known = { ...stored, gateway, sandbox, status, backups, egress };
  const { run, checkedAt } = report === undefined || report === "not_supported" ? {} : report;
  return {
    findings: findingsOf(known, report, Date.now()),
    run: run === undefined ? null : runBody(run),
    gateway_checked_at: checkedAt ?? null,
  };
}

async function gatewayReport(orders: TenantOrders, slug: string): Promise<GatewayReport | "not_supported"> {
  try {
    return await orders.doctor(slug);
  } catch (error) {
    if (error instanceof Failure && error.reason === instanceErrors.tenant_without_order.reason) return "not_supported";
    throw error;
  }
}

const runBody = ({
  kind,
  state,
  step,
  startedAt,
  endedAt,
  fault,
  backup,
}: DoctorRun): NonNullable<DoctorReport["run"]> => ({
  ...{ kind, state, step, started_at: startedAt, ended_at: endedAt ?? null, backup_id: backup ?? null },
  reason:
    fault === undefined ? null : errorText(doctorRunErrors[`doctor_run_${fault.kind}`], { details: fault.details }),
});
