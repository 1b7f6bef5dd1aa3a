/** Freezes and resumes a client's instance. A caller resumes what a caller with at most its rights froze. */
import type { ListedClient } from "#database/tenants/clients.ts";
import { freezeInstance, keepFrozen, resumeInstance } from "#database/tenants/freezing.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import type { Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { clientBody } from "./body.ts";
import { changed, freezable, lock, operatorName } from "./changing.ts";

type FrozenBy = NonNullable<Client["instance"]>["frozen_by"];

/** Whose freeze each role takes over, so that only this role, or one with more rights, resumes the instance. */
const TAKEN_OVER: Readonly<Record<Caller["role"], readonly FrozenBy[]>> = {
  ROOT: ["platform", "partner", "client", "credit", "deletion"],
  PARTNER_ROOT: ["client"],
  ADMIN: [],
  BASE_USER: [],
};

const frozenBy = (found: ListedClient): FrozenBy => clientBody(found).instance?.frozen_by ?? null;

/** @throws Failure if an ADMIN may not resume the instance: the database states the rules of roots */
function requireResumable(found: ListedClient, { role }: Caller): void {
  const by = frozenBy(found);
  if (role !== "ADMIN" || by === "client") return;
  if (by === "credit") throw failure(clientErrors.instance_frozen_for_credit, { slug: found.slug });
  throw failure(clientErrors.instance_frozen_by_operator, { slug: found.slug, by: operatorName(by ?? "", found) });
}

export const freezingHandlers: Pick<Handlers<typeof clientRoutes>, "freezeClient" | "resumeClient"> = {
  async freezeClient({ db, settings, params, body, caller }) {
    const found = await lock(db, settings.ENVIRONMENT, params.client_id);
    const { slug, instance } = found;
    if (instance === null) throw failure(clientErrors.client_has_no_instance_to_freeze, { slug });
    if (instance.status === "stopped") throw failure(clientErrors.stopped_instance_cannot_freeze, { slug });
    const why = body.cause ?? `Frozen by ${caller.email}.`;
    const [tx, one] = [inTransaction(db), freezable(found, settings)];
    const isFrozenNow = await freezeInstance(tx, one, { cause: "asked", why, requestedBy: caller.email });
    if (!isFrozenNow && TAKEN_OVER[caller.role].includes(frozenBy(found)))
      await keepFrozen(tx, one, { cause: "asked", why });
    return changed(db, settings, found.id, { change: "frozen", caller });
  },

  async resumeClient({ db, settings, params, caller }) {
    const found = await lock(db, settings.ENVIRONMENT, params.client_id);
    const { slug, instance } = found;
    if (found.delete_after !== null) throw failure(clientErrors.client_being_deleted, { slug });
    if (instance?.status !== "frozen") throw failure(clientErrors.instance_not_frozen, { slug });
    requireResumable(found, caller);
    await resumeInstance(inTransaction(db), freezable(found, settings), caller.email);
    return changed(db, settings, found.id, { change: "resumed", caller });
  },
};
