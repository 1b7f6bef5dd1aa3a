/** Decides the faults that Workers' processes inject: deliveries of queues and shutdowns of Durable Objects. */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { WEATHER_HEADER } from "../http/internal-headers.ts";
import type { Injected, Weather } from "./weather.ts";

/** Cloudflare's texts: developers.cloudflare.com/durable-objects/observability/troubleshooting/ */
export const RESET = "Durable Object reset because its code was updated.";
export const EVICTED =
  "Connection closed: this Durable Object instance is no longer active. Reconnect or retry the request.";

const question = z.object({
  /** Id of the script. */
  script: z.string(),
  /** `uploads` waits for an upload of the script. */
  where: z.enum(["queues", "objects", "uploads"]),
  /** Name of the queue or class. */
  subject: z.string(),
});

export interface WorkerWeather {
  /** Answers a question of a Worker's process. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Lets calls in flight to a script's objects fail, as an upload of the script does at Cloudflare. */
  reset(script: string): void;
}

export function createWorkerWeather(weather: Weather): WorkerWeather {
  const calls = new Map<ServerResponse, string>();
  const answer = (response: ServerResponse, injected: Injected) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(injected));

  return {
    serve(request, response) {
      request.resume();
      const { script, where, subject } = question.parse(
        JSON.parse(decodeURIComponent(String(request.headers[WEATHER_HEADER]))),
      );
      if (where === "uploads") {
        calls.set(response, script);
        response.once("close", () => calls.delete(response));
        return;
      }
      const injected = weather.next(where, `${script} ${subject}`);
      if (injected === undefined) response.writeHead(204).end();
      else answer(response, injected);
    },
    reset(script) {
      const open = [...calls].filter(([, of]) => of === script);
      if (open.length === 0) return;
      const injected = weather.next("uploads", script);
      if (injected !== undefined) for (const [response] of open) answer(response, injected);
    },
  };
}
