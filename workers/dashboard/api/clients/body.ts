/** A client as the API shows it. */
import type { ListedClient } from "#database/tenants/clients.ts";
import { client } from "#domain/entities/client.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { declaredIn } from "../../http/git-owned.ts";

export function clientBody(row: ListedClient): Client {
  const { instance, deletion_by } = row;
  return bodyOf(client, {
    ...row,
    declared_in: declaredIn(row),
    instance: instance && {
      ...instance,
      frozen_by: instance.frozen_for && frozenBy(instance.frozen_for, instance.frozen_by ?? ""),
      ai_gateway_id: instance.ai_gateway?.id ?? null,
      ai_gateway_pooled: (instance.ai_gateway?.pool_id ?? null) !== null,
    },
    deletion_by: deletion_by === null ? null : deletionBy(deletion_by),
  });
}

const frozenBy = (cause: "asked" | "credit" | "deletion", by: string) => (cause === "asked" ? sideOf(by) : cause);

const deletionBy = (by: string) => (by === "service" ? "credit" : sideOf(by));

const SIDES: Readonly<Record<string, "partner" | "client">> = { partner_root: "partner", client_admin: "client" };

/** The side that a kind of caller belongs to. */
const sideOf = (kind: string) => SIDES[kind] ?? "platform";
