import { WorkerEntrypoint } from "cloudflare:workers";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { sandboxObjectOf } from "../sandbox/sandbox.ts";
import { ownKeysOf } from "./own-keys/own-keys.ts";
import { passCall } from "./pass-call.ts";
import { withEnd } from "./stream-end.ts";

/** The entrypoint for requests of the container to `AI_GATEWAY_HOST`. */
export class ModelCalls extends WorkerEntrypoint<TenantEnv> {
  override async fetch(request: Request): Promise<Response> {
    const end = this.#beginCall();
    try {
      return withEnd(await passCall(request, this.env, ownKeysOf(this.env, this.ctx)), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Counts a model call as in progress, without waiting for the count. @returns a function that ends it */
  #beginCall(): () => void {
    const call = sandboxObjectOf(this.env)
      .modelCall()
      .catch((error: unknown) => log("error", "model-call.not-counted", { message: String(error) }));
    // Not called when the client disconnects: the runtime then disposes of the call with the request.
    return () => void call.then((counted) => counted?.[Symbol.dispose]());
  }
}
