import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import { namesOf, SIDECAR_SUFFIX } from "../names.ts";
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
  /** Times in milliseconds since the epoch when running containers started, by name; 0 when they ran before. */
  readonly running: ReadonlyMap<string, number>;
  stop(): void;
}

/** Watches which containers of a state directory run, by the events of the engine. @throws Error when it sends none */
export async function watchAwake(
  o: { client: RealEngineClient; containers: OwnContainers; mark: string; onChange: (started?: string) => void },
  log: Log,
): Promise<Awake> {
  const running = new Map<string, number>();
  const ended = new AbortController();
  const ours = namesOf(o.mark);
  // Listen before listing, so that no event is missed.
  const lines = await o.client.lines(`/events?${new URLSearchParams({ filters: FILTERS })}`, ended.signal);
  const listen = async () => {
    for await (const line of lines) {
      const parsed = event.safeParse(JSON.parse(line));
      const name = parsed.data?.Actor.Attributes.name ?? "";
      if (!parsed.success || !ours.test(name) || name.endsWith(SIDECAR_SUFFIX)) continue;
      const isStart = parsed.data.Action === "start";
      if (isStart) running.set(name, Date.now());
      if (isStart || (ENDS.has(parsed.data.Action) && running.delete(name))) o.onChange(isStart ? name : undefined);
    }
    throw new Error("the stream of events ended");
  };
  listen().catch((error: unknown) => {
    if (!ended.signal.aborted) log("containers", "events-ended", { message: String(error) });
  });
  for (const { name, container } of await o.containers.pairs()) if (container?.running) running.set(name, 0);
  return { running, stop: () => ended.abort() };
}
