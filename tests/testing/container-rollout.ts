import type { Edge } from "#local/edge.ts";
import { everyMinute } from "./http.ts";

/** Waits for the end of a tenant's rollout, with the trigger of each minute meanwhile. @returns the configuration of its containers */
export async function rolledOut(edge: Edge, slug: string) {
  for (;;) {
    const application = edge.store.list("container_application").find(({ name }) => name === `tenant-${slug}`);
    if (application === undefined) throw new Error(`The tenant ${slug} has no container application.`);
    const rollouts = (application.rollouts ?? []) as { status: string }[];
    if (!rollouts.some(({ status }) => status === "pending" || status === "progressing"))
      return application.configuration;
    await everyMinute(edge);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
