/** Secrets that a tenant's Worker adds to requests of its container. */
import type { Kysely } from "kysely";
import {
  countEgressSecrets,
  deleteEgressSecret,
  insertEgressSecret,
  listEgressSecrets,
} from "#database/egress/secrets.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { egressSecret, MAX_EGRESS_SECRETS } from "#domain/entities/egress.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { egressSecretErrors } from "#domain/errors/tenants/egress-secrets.ts";
import type { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { sendInstanceEvent } from "../events.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { requireReachable } from "./policies.ts";
import { sealedSecret } from "./sealed-secret.ts";

type SecretRoutes = Pick<typeof egressRoutes, "listEgressSecrets" | "createEgressSecret" | "deleteEgressSecret">;

export const egressSecretHandlers: Handlers<SecretRoutes> = {
  async listEgressSecrets({ db, settings, params }) {
    const { id } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const found = await listEgressSecrets(db, settings.ENVIRONMENT, id);
    return { data: found.map((one) => bodyOf(egressSecret, one)) };
  },

  async createEgressSecret({ db, settings, params, body, caller }) {
    const { name } = body;
    requireReachable(settings, body.host);
    const instance = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    const replaced = await deleteEgressSecret(db, instance.id, { name });
    if ((await countEgressSecrets(db, instance.id)) >= MAX_EGRESS_SECRETS) {
      throw failure(egressSecretErrors.egress_secrets_too_many, { most: MAX_EGRESS_SECRETS });
    }
    const sealed = await sealedSecret(settings, body);
    const { id } = sealed;
    await insertEgressSecret(db, { ...sealed, instanceId: instance.id, createdBy: caller.email });
    await announce(db, instance, { what: replaced ? "replaced" : "created", id, name, by: caller.email });
    const created = (await listEgressSecrets(db, settings.ENVIRONMENT, instance.id)).find((one) => one.id === id);
    return bodyOf(egressSecret, requireFound(created, egressSecretErrors.egress_secret_not_found));
  },

  async deleteEgressSecret({ db, settings, params, caller }) {
    const instance = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    const deleted = await deleteEgressSecret(db, instance.id, { id: params.secret_id });
    const { id, name } = requireFound(deleted, egressSecretErrors.egress_secret_not_found);
    await announce(db, instance, { what: "deleted", id, name, by: caller.email });
  },
};

/** Requests that the automation service sends the tenant its secrets, and sends an event. */
async function announce(
  db: Kysely<DB>,
  instance: KnownInstance,
  { what, id, name, by }: { what: "created" | "replaced" | "deleted"; id: string; name: string; by: string },
): Promise<void> {
  const { id: clientId, slug } = instance.client;
  await requestJob(db, { kind: "push_egress", clientId, instanceId: instance.id, slug, requestedBy: by });
  await sendInstanceEvent(db, instance, `egress_secret.${what}`, by, { name, secret_id: id });
}
