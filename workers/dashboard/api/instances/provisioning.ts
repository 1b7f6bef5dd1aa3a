import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import { openRemoval } from "#database/tenants/deletion/removal.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import { changeStatus, createInstance } from "#database/tenants/transitions.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import type { Settings } from "../../env.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";
import { type ChosenGateway, chooseGateway, type NamedGateway } from "./gateway-choice.ts";

export interface Provisioning {
  settings: Settings;
  client: ListedClient;
  /** The client's current instance. */
  before: KnownInstance | undefined;
  named: NamedGateway;
  /** Whether to use the bucket of an earlier client with this slug. */
  useKeptBackups: boolean;
  caller: Caller;
}

/**
 * Provisions the instance of a client whose row is locked: checks everything, then writes the row and the job.
 *
 * @returns the instance's ID
 * @throws Failure, before anything is written
 */
export async function provision(db: Kysely<DB>, o: Provisioning): Promise<string> {
  const { settings, client, before, named, useKeptBackups, caller } = o;
  const { slug, billing_plan } = client;
  requireOwn(`The client ${slug}`, client, slug);
  if (before !== undefined) requireOwn(`The instance of ${slug}`, before, slug);
  if (client.delete_after !== null) {
    throw failure(clientErrors.client_being_deleted, { slug });
  }
  if ((await openRemoval(db, { clientId: client.id })) !== undefined) {
    throw failure(instanceErrors.instance_being_removed, { slug });
  }
  if (before !== undefined && before.status !== "error") {
    throw failure(instanceErrors.instance_already_exists, { slug, status: before.status });
  }
  if (caller.role !== "ROOT" && Object.values(named).some((value) => value !== undefined)) {
    throw failure(instanceErrors.ai_gateway_choice_requires_root);
  }
  const tenant = { slug, clientId: client.id, existing: before?.ai_gateway ?? undefined };
  const gateway = await chooseGateway(db, settings, tenant, named);

  const { id, generation } = await provisioningRow(db, o, gateway);
  await requestJob(db, {
    kind: "provision",
    clientId: client.id,
    instanceId: id,
    slug,
    generation,
    requestedBy: caller.email,
    payload: {
      plan: billing_plan,
      ...(useKeptBackups && { use_kept_backups: true }),
      gateway: { kind: gateway.kind, ai_gateway_id: gateway.gatewayId, ai_gateway_pool_id: gateway.poolId },
    },
  });
  return id;
}

/** Writes the instance's row. @throws Failure `conflict` after a concurrent change of its status */
async function provisioningRow(
  db: Kysely<DB>,
  { settings, client, before, caller }: Pick<Provisioning, "settings" | "client" | "before" | "caller">,
  { gatewayId, poolId }: ChosenGateway,
): Promise<{ id: string; generation: string }> {
  const stateCause = `Provisioning was requested by ${caller.email} and is queued; nothing is deployed yet.`;
  const gateway = { ai_gateway_id: gatewayId, ai_gateway_pool_id: poolId };
  if (before === undefined) {
    return createInstance(db, {
      ...gateway,
      client_id: client.id,
      environment: settings.ENVIRONMENT,
      worker_name: tenantScriptName(client.slug, settings.ENVIRONMENT),
      state_cause: stateCause,
    });
  }
  const change = { instance: before, cause: "provisioning requested again", stateCause, gateway } as const;
  const changed = await changeStatus(inTransaction(db), change);
  if (changed === undefined) {
    throw failure(instanceErrors.instance_changed_meanwhile, { slug: client.slug });
  }
  return { id: before.id, ...changed };
}
