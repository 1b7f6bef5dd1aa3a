/**
 * Changes of a run whose answer was lost: Cloudflare carried them out, and the plugin's retry was refused, because the object exists or is
 * gone. The vendor's plugin neither adopts nor tolerates either.
 */
import type { EngineEvent, Stack } from "@pulumi/pulumi/automation/index.js";
import { LATE_LIST_MS, systemClock } from "@tenantry/cloudflare-client/late-list";
import type Cloudflare from "cloudflare";
import * as z from "zod";
import { apiTime, failedCreate, removeCreated, type UnrecordedCreate } from "../state/pending-creates.ts";

/** Each run settles at least one change. */
const MAX_RUNS = 10;
/** Resolution of HTTP's dates, and of the API's. */
const RESOLUTION_MS = 2000;

const inputsOf = z.object({ inputs: z.record(z.string(), z.unknown()) });
const recorded = z.object({ resources: z.array(z.object({ urn: z.string() })).default([]) });

export interface LostAnswersOptions {
  /** Opened when a change fails. */
  account: () => Promise<Cloudflare>;
  onRecovered: (what: string) => void;
  signal: AbortSignal;
}

/**
 * Runs an operation. If changes fail that Cloudflare has carried out, settles them and runs it again.
 *
 * @param run the operation; passes the engine's events on
 * @throws what the last run threw
 */
export async function settleLostAnswers(
  stack: Stack,
  { account, onRecovered, signal }: LostAnswersOptions,
  run: (onEvent: (event: EngineEvent) => void) => Promise<unknown>,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    const startedAt = Date.now();
    const creates: UnrecordedCreate[] = [];
    const deletes: string[] = [];
    const onEvent = ({ resOpFailedEvent }: EngineEvent) => {
      const metadata = resOpFailedEvent?.metadata;
      if (metadata === undefined) return;
      const { data } = inputsOf.safeParse(metadata.new);
      if (metadata.op.startsWith("create") && data) creates.push(...failedCreate(metadata.type, data.inputs));
      if (metadata.op.startsWith("delete") && metadata.type.startsWith("cloudflare:")) deletes.push(metadata.urn);
    };
    try {
      await run(onEvent);
      return;
    } catch (error) {
      const until = systemClock.now() + LATE_LIST_MS;
      if (count === MAX_RUNS || signal.aborted || creates.length + deletes.length === 0) throw error;
      const settled = [
        ...(creates.length > 0 ? await removeLeft(stack, await account(), creates, { startedAt, until }) : []),
        ...(deletes.length > 0 ? await forgetGone(stack, deletes) : []),
      ];
      if (settled.length === 0) throw error;
      onRecovered(`Cloudflare had carried out changes whose answers were lost: ${settled.join(", ")}.`);
    }
  }
}

/** Removes what failed creates left, which is empty. @returns names */
async function removeLeft(
  stack: Stack,
  client: Cloudflare,
  creates: UnrecordedCreate[],
  { startedAt, until }: { startedAt: number; until: number },
): Promise<string[]> {
  const { deployment: now } = await stack.exportStack();
  const ahead = (await apiTime(client, creates)) - Date.now();
  const removed = await removeCreated(client, creates, { since: startedAt + ahead - RESOLUTION_MS, now, until });
  return removed.map((name) => `${name} created`);
}

/** Removes from the state what failed deletes removed. @returns names */
async function forgetGone(stack: Stack, urns: string[]): Promise<string[]> {
  await stack.refresh({ target: urns });
  const { deployment } = await stack.exportStack();
  const left = new Set(recorded.parse(deployment).resources.map(({ urn }) => urn));
  return urns.filter((urn) => !left.has(urn)).map((urn) => `${urn.split("::").at(-1)} deleted`);
}
