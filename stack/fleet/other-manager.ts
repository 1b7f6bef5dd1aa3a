import type { Manager } from "#domain/entities/entity.ts";
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
        ? `${slug}: to declare it in Git, npm run fleet -- adopt ${slug}; to end a release that was interrupted, npm run fleet -- release ${slug}`
        : `${slug}: a deleted client has this slug until ${row.deleteAfter.toISOString()}. To keep that client, restore it in the dashboard ` +
            `(POST /client/${row.id}/restore), then npm run fleet -- adopt ${slug}. To declare a new one, end its grace period now ` +
            `(DELETE /client/${row.id}?now=true), wait until it is removed, and deploy again`;
    });
    refuseFaults("clients that the dashboard manages:", lines);
  } else {
    const lines = others.map(({ slug }) => `${slug}: to leave it to the dashboard, npm run fleet -- release ${slug}`);
    refuseFaults("clients that are declared in Git:", lines);
  }
}
