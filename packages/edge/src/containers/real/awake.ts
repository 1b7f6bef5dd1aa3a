/** Which containers of one state directory run, as the engine tells of their starts and ends. */

import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import { namesOf, type ScriptName, SIDECAR_SUFFIX } from "../names.ts";
import type { RealEngineClient } from "./client.ts";
import type { OwnContainers } from "./containers.ts";

const event = z.looseObject({
  Action: z.string(),
  Actor: z.looseObject({ Attributes: z.looseObject({ name: z.string() }) }),
});

/** Docker's and Podman's words. */
const ENDS = new Set(["die", "died", "destroy", "remove"]);
const FILTERS = JSON.stringify({ type: ["container"] });

export interface Awake {
  /** Whether a container of a script runs. */
  has(script: ScriptName): boolean;
  stop(): void;
}

/** @throws Error when the engine does not tell */
export async function watchAwake(
  o: { client: RealEngineClient; containers: OwnContainers; mark: string },
  log: Log,
): Promise<Awake> {
  const running = new Set<string>();
  const ended = new AbortController();
  const ours = namesOf(o.mark);
  // Listens before it lists, so that nothing is missed between.
  const lines = await o.client.lines(`/events?${new URLSearchParams({ filters: FILTERS })}`, ended.signal);
  const listen = async () => {
    for await (const line of lines) {
      const told = event.safeParse(JSON.parse(line));
      const name = told.data?.Actor.Attributes.name ?? "";
      if (!told.success || !ours.test(name) || name.endsWith(SIDECAR_SUFFIX)) continue;
      if (told.data.Action === "start") running.add(name);
      if (ENDS.has(told.data.Action)) running.delete(name);
    }
    throw new Error("it tells no more");
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
