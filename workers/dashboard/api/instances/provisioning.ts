/** Provisioning a client's instance: everything is checked, then its row and its job are written together. */

import type { Kysely } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import { openRemoval } from "#database/tenants/removal.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { tenantScriptName } from "#domain/physical-name.ts";
import type { Settings } from "../../env.ts";
import { Failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Caller } from "../../identity/caller.ts";
import { chooseGateway, type NamedGateway } from "./gateway-choice.ts";

/**
 * Begins it for a client whose row is locked.
 *
 * @param before the instance that the client has
 * @returns the instance's id
 * @throws Failure, before anything is written
 */
export async function provision(
  db: Kysely<DB>,
  o: {
    settings: Settings;
    client: ListedClient;
    before: KnownInstance | undefined;
    named: NamedGateway;
    /** Whether the instance may have the bucket of an earlier client with this slug. */
    useKeptBackups: boolean;
    caller: Caller;
  },
): Promise<string> {
  const { settings, client, before, named, useKeptBackups, caller } = o;
  const { slug, billingPlan } = client;
  requireOwn(`The client ${slug}`, client, slug);
  if (before !== undefined) requireOwn(`The instance of ${slug}`, before, slug);
  if (client.deleteAfter !== null) {
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
  const tenant = { slug, clientId: client.id, existing: before?.gateway ?? undefined };
  const gateway = await chooseGateway(db, settings, tenant, named);

  const values = {
    status: "provisioning",
    state_cause: `Provisioning was asked for by ${caller.email} and is queued; nothing is deployed yet.`,
    ai_gateway_id: gateway.gatewayId,
    ai_gateway_pool_id: gateway.poolId,
  };
  const written =
    before === undefined
      ? db
          .insertInto("tenantry.instances")
          .values({
            ...values,
            client_id: client.id,
            environment: settings.ENVIRONMENT,
            managed_by: "dashboard",
            worker_name: tenantScriptName(slug, settings.ENVIRONMENT),
          })
          .returning(["id", "generation"])
      : db.updateTable("tenantry.instances").set(values).where("id", "=", before.id).returning(["id", "generation"]);
  const { id, generation } = await written.executeTakeFirstOrThrow();
  await requestJob(db, {
    kind: "provision",
    clientId: client.id,
    instanceId: id,
    slug,
    generation,
    requestedBy: caller.email,
    payload: {
      plan: billingPlan,
      ...(useKeptBackups && { use_kept_backups: true }),
      gateway: { kind: gateway.kind, ai_gateway_id: gateway.gatewayId, ai_gateway_pool_id: gateway.poolId },
    },
  });
  return id;
}
