/** A client as the API shows it. */
import type { ListedClient } from "#database/tenants/clients.ts";
import { bodyOfFields } from "#workers/contracts/api/client-fields.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { fileOf } from "../../http/git-owned.ts";

export function clientBody(client: ListedClient): Client {
  const { id, slug, name, status, partner, instance, version } = client;
  return {
    id,
    slug,
    name,
    billing_plan: client.billingPlan,
    status,
    managed_by: client.managedBy,
    declared_in: client.managedBy === "git" ? (fileOf(client.owner) ?? null) : null,
    partner,
    instance: instance && {
      id: instance.id,
      status: instance.status,
      environment: instance.environment,
      frozen_by: instance.frozen && frozenBy(instance.frozen),
      ai_gateway_id: instance.aiGateway?.id ?? null,
      ai_gateway_pooled: instance.aiGateway?.pooled ?? false,
    },
    delete_after: client.deleteAfter?.toISOString() ?? null,
    deletion_by: client.deletionBy === null ? null : deletionBy(client.deletionBy),
    ...bodyOfFields(client.fields),
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
    version,
  };
}

const frozenBy = ({ cause, by }: { cause: "asked" | "credit" | "deletion"; by: string }) =>
  cause === "asked" ? sideOf(by) : cause;

const deletionBy = (by: string) => (by === "service" ? "credit" : sideOf(by));

/** Whose a kind of caller is. */
const sideOf = (kind: string) => (kind === "partner_root" ? "partner" : "platform");
