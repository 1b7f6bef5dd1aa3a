import * as pulumi from "@pulumi/pulumi";
import { errorLine } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
import { DOORS_LABEL } from "#domain/names/slug.ts";
import { refuseFaults } from "../../refusal.ts";
import type { FleetSnapshot } from "../snapshot.ts";

/**
 * Refuses a new client with the slug of the doors' host. Warns of one that had it before doors existed: its tenant works, and its login
 * keeps vendors out of the host.
 *
 * @throws RunError
 */
export function checkDoorsHost(
  clients: readonly { slug: string }[],
  { clients: known, read }: Pick<FleetSnapshot, "clients" | "read">,
): void {
  const values = { slug: DOORS_LABEL };
  if (DOORS_LABEL in known) {
    void pulumi.log.warn(errorLine(planErrors.client_has_doors_host, values));
  } else if (read && clients.some(({ slug }) => slug === DOORS_LABEL)) {
    refuseFaults(planRefusals.slug_reserved, [errorLine(planErrors.client_slug_reserved, values)]);
  }
}
