/** A running instance's way to another AI gateway: asked for here; the old slot stays its own until the new one works. */

import type { Kysely } from "kysely";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { openJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import type { Settings } from "../../env.ts";
import { Failure } from "../../http/failure.tsx";
import type { Caller } from "../../identity/caller.ts";
import { chooseGateway, type NamedGateway } from "./gateway-choice.ts";

/** @returns the job's id. @throws Failure when it has no room now, or there is nothing to move */
export async function moveGateway(
  db: Kysely<DB>,
  settings: Settings,
  instance: KnownInstance,
  { named, caller }: { named: NamedGateway; caller: Caller },
): Promise<string> {
  const { id, client, ai_gateway, generation, status } = instance;
  if (status === "error") {
    throw new Failure("conflict", `The instance of ${client.slug} is in error: provision it anew, with that gateway.`);
  }
  if ((await openJob(db, settings.ENVIRONMENT, id, "assign_gateway")) !== undefined) {
    throw new Failure("conflict", "A move to another AI gateway is under way; wait for its end, or cancel it.");
  }
  const tenant = { slug: client.slug, clientId: client.id, existing: ai_gateway ?? undefined };
  const chosen = await chooseGateway(db, settings, tenant, named);
  if (chosen.gatewayId === ai_gateway?.id) {
    throw new Failure("conflict", `The instance of ${client.slug} binds AI gateway ${chosen.gatewayId} already.`);
  }
  return requestJob(db, {
    kind: "assign_gateway",
    clientId: client.id,
    instanceId: id,
    slug: client.slug,
    generation,
    requestedBy: caller.email,
    payload: {
      kind: chosen.kind,
      from: ai_gateway?.id ?? null,
      ai_gateway_id: chosen.gatewayId,
      ai_gateway_pool_id: chosen.poolId,
    },
  });
}
