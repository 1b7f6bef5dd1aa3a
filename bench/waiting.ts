import { setTimeout as delay } from "node:timers/promises";
import { call } from "#tests/testing/http.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";

const POLL_MS = 100;

/** Polls until `attempt` does not reject. @throws the last error after `timeoutMs` */
export async function waitFor(attempt: () => Promise<unknown>, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ; await delay(POLL_MS)) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Starts a tenant's gateway by requests for its health, and waits until it runs. */
export function waitForGateway(edge: { domain: string; port: number }, slug: string, timeoutMs: number): Promise<void> {
  return waitFor(async () => {
    const { status, body } = await call(edge, `${slug}.${edge.domain}`, "/api/health");
    const parsed = status === 200 ? healthSnapshot.safeParse(JSON.parse(body)) : undefined;
    if (!parsed?.data?.startup.ok) throw new Error(`The gateway of ${slug} does not run: status ${status}, ${body}`);
  }, timeoutMs);
}
