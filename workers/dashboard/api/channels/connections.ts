/** Socket channels, as the tenant reports them, in the API. */
import { messengerLabel, webhookKindOf } from "#domain/channels/kinds.ts";
import type { ChannelConnection } from "#workers/contracts/api/tenants/channel-connection.ts";
import type { SandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";

const ASLEEP = "The instance sleeps, and its plan does not keep it awake for this channel.";
const ASLEEP_ANYWAY = "The instance sleeps. The channel connects when it wakes.";

/** @returns null from a tenant's Worker of an earlier version */
export function connectionsOf({ socketChannels, sleep }: SandboxStatus): ChannelConnection[] | null {
  if (socketChannels === undefined) return null;
  const keepsAwake = sleep?.withChannels !== true;
  return socketChannels.map(({ messenger, account, condition, error, isOwn }) => ({
    ...{ messenger, account, condition, label: messengerLabel(messenger) },
    reason: condition === "offline_while_asleep" ? (keepsAwake ? ASLEEP_ANYWAY : ASLEEP) : (error ?? null),
    is_own: isOwn,
    keeps_awake: keepsAwake,
    webhook_kind: webhookKindOf(messenger) ?? null,
  }));
}

/** Returns what the owner does next. */
export function stepsFor(connection: ChannelConnection | undefined, steps: readonly string[]): string[] {
  if (connection === undefined || connection.condition === "connecting") {
    return ["Wait until the gateway has connected. It retries by itself."];
  }
  const { condition, webhook_kind: webhook, keeps_awake, label } = connection;
  if (condition === "failed") {
    return [
      `Correct the cause, and replace the values of the channel. ${label} reports: ${connection.reason ?? "none"}`,
    ];
  }
  if (condition === "online") return [...steps];
  if (keeps_awake) return ["Wake the instance: open its page, or send it a request."];
  const plan = "Change to a plan that keeps the instance awake for socket channels.";
  return webhook === null
    ? [plan]
    : [`Delete this channel and connect ${label} by webhook (kind ${webhook}): its messages wake the instance.`, plan];
}
