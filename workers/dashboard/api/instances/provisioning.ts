/** Provisioning a client's instance: everything is checked, then its row and its job are written together. */

import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import { openRemoval } from "#database/tenants/removal.ts";
import { changeStatus, createInstance } from "#database/tenants/transitions.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import type { Settings } from "../../env.ts";
import { inTransaction } from "../../http/connection.ts";
import { Failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";
import { type ChosenGateway, chooseGateway, type NamedGateway } from "./gateway-choice.ts";

export interface Provisioning {
  settings: Settings;
  client: ListedClient;
  /** The instance that the client has. */
  before: KnownInstance | undefined;
  named: NamedGateway;
  /** Whether the instance may have the bucket of an earlier client with this slug. */
  useKeptBackups: boolean;
  caller: Caller;
}

/**
 * Begins it for a client whose row is locked.
 *
 * @returns the instance's id
 * @throws Failure, before anything is written
 */
export async function provision(db: Kysely<DB>, o: Provisioning): Promise<string> {
  const { settings, client, before, named, useKeptBackups, caller } = o;
  const { slug, billing_plan } = client;
  requireOwn(`The client ${slug}`, client, slug);
  if (before !== undefined) requireOwn(`The instance of ${slug}`, before, slug);
  if (client.delete_after !== null) {
    throw new Failure("conflict", `The client ${slug} is being deleted. Restore it first.`);
  }
  if ((await openRemoval(db, { clientId: client.id })) !== undefined) {
    throw new Failure("conflict", `The instance of ${slug} is being removed; wait for the end of that.`);
  }
  if (before !== undefined && before.status !== "error") {
    throw new Failure(
      "conflict",
      `The client ${slug} has an instance already, which is ${before.status}; one in error alone is provisioned anew.`,
    );
  }
  if (caller.partnerId !== undefined && Object.values(named).some((value) => value !== undefined)) {
    throw new Failure("forbidden", "Platform roots alone choose gateways: leave the gateway out.");
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

/** Writes the instance's row. @throws Failure `conflict` when its status changed at the same moment */
async function provisioningRow(
  db: Kysely<DB>,
  { settings, client, before, caller }: Pick<Provisioning, "settings" | "client" | "before" | "caller">,
  { gatewayId, poolId }: ChosenGateway,
): Promise<{ id: string; generation: string }> {
  const stateCause = `Provisioning was asked for by ${caller.email} and is queued; nothing is deployed yet.`;
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
    throw new Failure("conflict", `The instance of ${client.slug} changed at the same moment; ask again.`);
  }
  return { id: before.id, ...changed };
}
