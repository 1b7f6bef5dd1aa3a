/** A tenant that has processed a webhook of Slack and sleeps again. Webhooks that must not wake it. */
import type { ContainerEngine } from "@tenantry/edge/containers";
import { HOOKS_HOST } from "#workers/dispatch/hooks/testing/send.ts";
import { signed } from "#workers/dispatch/hooks/testing/webhooks.ts";
import type { Client, Target } from "../client.ts";
import { waitFor } from "../waiting.ts";

/** Older than Slack's window of 5 minutes. */
const OUTDATED_MS = 10 * 60_000;
const SLEEP_MS = 60_000;
const EVENT = "1";

export interface SleepingTenant {
  /** How often its container started since it sleeps. */
  starts(): number;
  /** The webhook that it has processed, signed again: its inbox recognizes it. */
  replayed(): Promise<Target>;
  /** A webhook with a valid signature that is too old. */
  outdated(): Promise<Target>;
}

/** Sends the webhook, and resolves when the tenant sleeps. @param script of the tenant @param o.port of the dispatch Worker @param o.key of its door */
export async function putToSleep(
  engine: Pick<ContainerEngine, "isAwake" | "onChange">,
  script: Parameters<ContainerEngine["isAwake"]>[0],
  { client, port, key }: { client: Client; port: number; key: string },
): Promise<SleepingTenant> {
  const webhook = async (now: number, statuses: number[]): Promise<Target> => {
    const { method, headers, body = "" } = await signed("slack", EVENT, { now });
    const common = { host: HOOKS_HOST, "user-agent": "Slackbot 1.0", "cf-connecting-ip": "192.0.2.2" };
    return { port, path: `http://${HOOKS_HOST}/${key}`, method, headers: { ...common, ...headers }, body, statuses };
  };
  let starts = 0;
  let wasAwake = false;
  engine.onChange(() => {
    const isAwake = engine.isAwake(script);
    if (isAwake && !wasAwake) starts += 1;
    wasAwake = isAwake;
  });
  const replayed = () => webhook(Date.now(), [200]);
  await client.call(await replayed());
  await waitFor(async () => {
    if (starts !== 1 || wasAwake) throw new Error("The tenant does not sleep.");
  }, SLEEP_MS);
  return {
    starts: () => starts - 1,
    replayed,
    outdated: () => webhook(Date.now() - OUTDATED_MS, [404]),
  };
}
