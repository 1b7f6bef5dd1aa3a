/** Deletes, erases and restores clients. */
import type { ListedClient } from "#database/tenants/clients.ts";
import { beginDeletion, cancelDeletion, takeOverDeletion } from "#database/tenants/deletion/deletion.ts";
import { requestErasure } from "#database/tenants/deletion/erasures.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { type Client, type clientRoutes, DELETION_GRACE_DAYS } from "#workers/contracts/api/tenants/clients.ts";
import { inTransaction } from "../../http/connection.ts";
import { failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { requireClient } from "../required.ts";
import { clientBody } from "./body.ts";
import { changed, freezable, lock, operatorName } from "./changing.ts";

const DAY_MS = 86_400_000;

type DeletionBy = Client["deletion_by"];

/** Whose deletion each role takes over, so that only this role, or one with more rights, restores the client. */
const TAKEN_OVER: Readonly<Record<Caller["role"], readonly DeletionBy[]>> = {
  ROOT: ["platform", "partner", "client", "credit"],
  PARTNER_ROOT: ["client"],
  ADMIN: [],
  BASE_USER: [],
};

const deletionBy = (found: ListedClient): DeletionBy => clientBody(found).deletion_by;

/** @throws Failure if an operator or used-up credit deleted the client of an ADMIN */
function requireOwnDeletion(found: ListedClient, { role }: Caller): void {
  const by = deletionBy(found);
  if (role !== "ADMIN" || by === "client") return;
  const { slug } = found;
  if (by === "credit") throw failure(clientErrors.client_deleted_for_credit, { slug });
  throw failure(clientErrors.client_deleted_by_operator, { slug, by: operatorName(by ?? "", found) });
}

/** @throws Failure where the client has no grace period, or the caller may not end it */
function requireEndable(found: ListedClient, caller: Caller): void {
  const { slug } = found;
  if (found.delete_after === null) throw failure(clientErrors.client_not_deleted, { slug });
  requireOwnDeletion(found, caller);
  // The platform keeps the whole grace period of its own deletions.
  const isOwn = deletionBy(found) === "partner" || deletionBy(found) === "client";
  if (caller.role === "PARTNER_ROOT" && !isOwn) throw failure(clientErrors.grace_period_end_requires_root, { slug });
}

type Deletion = "deleteClient" | "eraseClient" | "restoreClient";

export const deletionHandlers: Pick<Handlers<typeof clientRoutes>, Deletion> = {
  async deleteClient({ db, settings, params, query, caller, expected }) {
    const found = await lock(db, settings.ENVIRONMENT, params.client_id);
    await requireUnchanged(db, expected, { entity: "clients", ...found }, caller);
    requireOwn(`The client ${found.slug}`, found, found.slug);
    const [tx, one] = [inTransaction(db), freezable(found, settings)];
    if (query.now === "true") {
      if (caller.role === "ADMIN") throw failure(clientErrors.admin_erases_instead, { slug: found.slug });
      requireEndable(found, caller);
      await beginDeletion(tx, one, { deleteAfter: new Date(), requestedBy: caller.email });
      return changed(db, settings, found.id, { change: "deletion_begun", caller });
    }
    if (found.delete_after !== null) {
      if (!TAKEN_OVER[caller.role].includes(deletionBy(found))) return clientBody(found);
      await takeOverDeletion(tx, one);
      return clientBody(await requireClient(db, settings.ENVIRONMENT, found.id));
    }
    const deleteAfter = new Date(Date.now() + DELETION_GRACE_DAYS * DAY_MS);
    await beginDeletion(tx, one, { deleteAfter, requestedBy: caller.email });
    return changed(db, settings, found.id, { change: "deletion_begun", caller });
  },

  async eraseClient({ db, settings, params, body, caller, expected }) {
    const found = await lock(db, settings.ENVIRONMENT, params.client_id);
    await requireUnchanged(db, expected, { entity: "clients", ...found }, caller);
    const { slug } = found;
    requireOwn(`The client ${slug}`, found, slug);
    if (body.slug !== slug) throw failure(clientErrors.erasure_not_confirmed, { slug });
    requireEndable(found, caller);
    const tx = inTransaction(db);
    await requestErasure(tx, found.id, caller.email);
    await beginDeletion(tx, freezable(found, settings), { deleteAfter: new Date(), requestedBy: caller.email });
    return changed(db, settings, found.id, { change: "deletion_begun", caller });
  },

  async restoreClient({ db, settings, params, caller }) {
    const found = await lock(db, settings.ENVIRONMENT, params.client_id);
    const { slug, delete_after } = found;
    if (delete_after === null) throw failure(clientErrors.client_not_restorable, { slug });
    requireOwnDeletion(found, caller);
    const isAdmin = caller.role === "ADMIN";
    if (isAdmin && delete_after <= new Date()) throw failure(clientErrors.grace_period_over, { slug });
    await cancelDeletion(inTransaction(db), freezable(found, settings), {
      requestedBy: caller.email,
      // An ADMIN cannot cancel what an operator began.
      takesBackRemoval: !isAdmin,
    });
    return changed(db, settings, found.id, { change: "restored", caller });
  },
};
