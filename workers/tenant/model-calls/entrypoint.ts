/** The way of the gateway's model calls out of its container. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { sandboxObjectOf } from "../sandbox/cloudflare.ts";
import { passCall } from "./pass-call.ts";
import { untilEnd } from "./until-end.ts";

/** What programs in the container reach at `AI_GATEWAY_HOST` (vendor: "Durable Object Container", `interceptOutboundHttp`). */
export class ModelCalls extends WorkerEntrypoint<TenantEnv> {
  override async fetch(request: Request): Promise<Response> {
    const over = this.#begin();
    try {
      return untilEnd(await passCall(request, this.env), over);
    } catch (error) {
      over();
      throw error;
    }
  }

  /** Tells the container's object that it waits for a model; the call need not wait for that. @returns tells it that this is over */
  #begin(): () => void {
    const underWay = sandboxObjectOf(this.env)
      .modelCall()
      .catch((error: unknown) => log("error", "model-call.not-counted", { message: String(error) }));
    // When the client is gone this is not called: then the runtime disposes of it, with all else that the request held.
    return () => void underWay.then((call) => call?.[Symbol.dispose]());
  }
}
