/** The entrypoint for the container's requests to every host. A tunnel may carry a request for another host, so it serves the internal ones too. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { AI_GATEWAY_HOST, METRICS_HOST } from "#workers/contracts/tenant/sandbox.ts";
import type { TenantEnv } from "../env.ts";
import { supervisorOf } from "../supervisor-calls.ts";
import { egressBoundOf } from "./bound.ts";
import { CountBatch, type HostCount } from "./host-counts.ts";
import { passRequest } from "./pass-request.ts";
import { PolicyCache } from "./policy-cache.ts";

const policies = new PolicyCache();
const batch = new CountBatch();

/** Makes the next request in this isolate ask for the policy. */
export const forgetEgress = (): void => policies.forget();

export class Outbound extends WorkerEntrypoint<TenantEnv> {
  override fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.hostname === AI_GATEWAY_HOST) return this.ctx.exports.ModelCalls({}).fetch(request);
    if (url.hostname === METRICS_HOST) return this.ctx.exports.Egress({}).fetch(request);
    const { env } = this;
    const sending = {
      send: (counts: HostCount[]) => supervisorOf(env).recordEgress(counts),
      waitUntil: (work: Promise<unknown>) => this.ctx.waitUntil(work),
    };
    return passRequest(request, url, {
      policy: () =>
        policies.read(
          (knownStamp) => supervisorOf(env).egressOrder(knownStamp),
          () => egressBoundOf(env),
        ),
      count: (count) => batch.add(count, sending),
      send: (to, init) => fetch(to, init),
    });
  }
}
