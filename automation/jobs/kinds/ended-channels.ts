/** Ends the webhooks of a removed tenant's channels at their vendors: these would send them to a deleted door, and other systems could not use the bots. */
import { type EndedChannel, listEndedChannels } from "#database/channels/pushes.ts";
import { addJobStep, type Job } from "#database/work/jobs.ts";
import { ofBot } from "#domain/channels/channel.ts";
import { termsOf } from "#domain/channels/kinds.ts";
import { causeOf, type Run } from "../../task.ts";
import type { JobServices } from "../kind.ts";

/**
 * Makes the vendors send no more webhooks, and records for each channel what it did or what remains to be done by hand. No fault of a vendor ends the
 * removal.
 *
 * @returns repeats it, without records: a gateway that was started meanwhile registered its webhook again
 */
export async function endChannels(
  job: Job,
  { vendors }: JobServices,
  { db, log, signal }: Run,
): Promise<() => Promise<void>> {
  const channels = job.instance_id === null ? [] : await listEndedChannels(db, job.instance_id);
  const stop = async (among: readonly EndedChannel[]): Promise<string[]> => {
    if (vendors === undefined || among.length === 0) return [];
    return vendors.stop(among, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      log("warn", "channels_not_stopped", { job: job.id, cause: causeOf(error, log) });
      return [];
    });
  };
  const ids = await stop(channels);
  const stopped = channels.filter(({ id }) => ids.includes(id));
  for (const channel of channels) {
    const { id, kind, account_name: bot } = channel;
    const { label, stop: byHand } = termsOf(kind);
    const message = stopped.includes(channel)
      ? `${label} sends no more messages of ${bot} to the tenant.`
      : `The channel of ${bot} (${label}) ends with the tenant. Left to do: ${ofBot(byHand, bot)}`;
    const data = { channel_id: id, kind, outcome: stopped.includes(channel) ? "stopped" : "by_hand" };
    await addJobStep(db, job, { message, data, progress: 0 });
  }
  return async () => void (await stop(stopped));
}
