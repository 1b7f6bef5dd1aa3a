/** A Worker that passes requests through a meter to its service `UPSTREAM`. `/activity` reads the meter; `/end` closes open connections. */
import { DurableObject } from "cloudflare:workers";
import { OpenConnections } from "../../gateway/open-connections.ts";
import { ActivityMeter } from "../activity-meter.ts";
import { metered } from "../metered-response.ts";

interface Env {
  UPSTREAM: Fetcher;
  METERED: DurableObjectNamespace<Metered>;
}

export class Metered extends DurableObject<Env> {
  readonly #meter = new ActivityMeter();
  readonly #connections = new OpenConnections();

  override fetch(request: Request): Response | Promise<Response> {
    if (new URL(request.url).pathname === "/activity") return Response.json(this.#meter.read());
    if (new URL(request.url).pathname === "/end") {
      this.#connections.cut();
      return new Response(null, { status: 204 });
    }
    return metered(this.#meter, this.#connections, request.method, () => this.env.UPSTREAM.fetch(request));
  }
}

export default {
  fetch: (request: Request, env: Env): Promise<Response> =>
    env.METERED.get(env.METERED.idFromName("one")).fetch(request),
};
