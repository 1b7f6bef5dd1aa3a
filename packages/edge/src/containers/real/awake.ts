import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import { namesOf, type ScriptName, SIDECAR_SUFFIX } from "../names.ts";
import type { RealEngineClient } from "./client.ts";
import type { OwnContainers } from "./containers.ts";

const event = z.looseObject({
  Action: z.string(),
  Actor: z.looseObject({ Attributes: z.looseObject({ name: z.string() }) }),
});

/** Actions of Docker and Podman. */
const ENDS = new Set(["die", "died", "destroy", "remove"]);
const FILTERS = JSON.stringify({ type: ["container"] });

interface Awake {
  has(script: ScriptName): boolean;
  stop(): void;
}

/** Watches which containers of a state directory run, by the events of the engine. @throws Error when it sends none */
export async function watchAwake(
  o: { client: RealEngineClient; containers: OwnContainers; mark: string },
  log: Log,
): Promise<Awake> {
  const running = new Set<string>();
  const ended = new AbortController();
  const ours = namesOf(o.mark);
  // Listen before listing, so that no event is missed.
  const lines = await o.client.lines(`/events?${new URLSearchParams({ filters: FILTERS })}`, ended.signal);
  const listen = async () => {
    for await (const line of lines) {
      const parsed = event.safeParse(JSON.parse(line));
      const name = parsed.data?.Actor.Attributes.name ?? "";
      if (!parsed.success || !ours.test(name) || name.endsWith(SIDECAR_SUFFIX)) continue;
      if (parsed.data.Action === "start") running.add(name);
      if (ENDS.has(parsed.data.Action)) running.delete(name);
    }
    throw new Error("the stream of events ended");
  };
  listen().catch((error: unknown) => {
    if (!ended.signal.aborted) log("containers", "events-ended", { message: String(error) });
  });
  for (const { name, container } of await o.containers.pairs()) if (container?.running) running.add(name);
  return {
    has(script) {
      const names = namesOf(o.mark, script);
      return [...running].some((name) => names.test(name));
    },
    stop: () => ended.abort(),
  };
}
