import { refuse } from "../refusal.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { FleetSnapshot } from "./snapshot.ts";

/**
 * Refuses a run over clients that the other one manages, before anything is declared: a stack of Git's would write over what people set at the
 * dashboard, and one of the dashboard's over what a file declares.
 *
 * @param managedBy who says what this stack's clients are
 * @throws RunError naming each with the command that hands it over
 */
export function refuseOtherManager(
  managedBy: "git" | "dashboard",
  declared: readonly Pick<ClientSettings, "slug">[],
  { clients }: Pick<FleetSnapshot, "clients">,
): void {
  const others = declared.filter(({ slug }) => {
    const row = clients[slug];
    return row !== undefined && row.isDashboards !== (managedBy === "dashboard");
  });
  if (managedBy === "git") {
    const lines = others.map(
      ({ slug }) =>
        `${slug}: to declare it in Git, npm run fleet -- adopt ${slug}; to end a release that was interrupted, npm run fleet -- release ${slug}`,
    );
    refuse("clients that the dashboard manages:", lines);
  } else {
    const lines = others.map(({ slug }) => `${slug}: to leave it to the dashboard, npm run fleet -- release ${slug}`);
    refuse("clients that are declared in Git:", lines);
  }
}
