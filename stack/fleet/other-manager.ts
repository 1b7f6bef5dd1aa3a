import type { Manager } from "#domain/entities/entity.ts";
import { errorFault, errorLine } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
import { refuseFaults } from "../refusal.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { FleetSnapshot } from "./snapshot.ts";

/**
 * Refuses clients that the other manager owns: a stack of Git would overwrite what users set in the dashboard, and the reverse.
 * @param managedBy manager of this stack's clients
 * @throws RunError with the handover command of each client, before resources are declared
 */
export function refuseOtherManager(
  managedBy: Manager,
  declared: readonly Pick<ClientSettings, "slug">[],
  { clients }: Pick<FleetSnapshot, "clients">,
): void {
  const others = declared.filter(({ slug }) => {
    const row = clients[slug];
    return row !== undefined && row.isDashboards !== (managedBy === "dashboard");
  });
  if (managedBy === "git") {
    const lines = others.map(({ slug }) => {
      const row = clients[slug];
      return row?.deleteAfter === undefined
        ? errorLine(planErrors.client_of_dashboard, { slug })
        : errorFault(planErrors.deleted_client_has_slug, { slug, id: row.id, time: row.deleteAfter.toISOString() });
    });
    refuseFaults(planRefusals.managed_by_dashboard, lines);
  } else {
    const lines = others.map(({ slug }) => errorLine(planErrors.client_of_git, { slug }));
    refuseFaults(planRefusals.clients_declared_in_git, lines);
  }
}
