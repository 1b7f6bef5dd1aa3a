/** Socket channels, as the tenant reports them, in the API. */
import { type ChannelKind, messengerLabel, messengerOf, webhookKindOf } from "#domain/channels/kinds.ts";
import type { ChannelConnection } from "#workers/contracts/api/tenants/channel-connection.ts";
import type { LeftOutCause } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxStatus, SocketChannel } from "#workers/contracts/tenant/sandbox-status.ts";

const ASLEEP = "The instance sleeps, and its plan does not keep it awake for this channel.";
const ASLEEP_ANYWAY = "The instance sleeps. The channel connects when it wakes.";

const CAUSES: Readonly<Record<LeftOutCause, { reason: string; remedy: string }>> = {
  configuration_rejected: {
    reason: "The gateway rejects the channel's configuration, so it runs without the channel.",
    remedy:
      "Replace the values of the channel, or correct the section of the messenger in openclaw.json. Then restart the gateway. If that does not help, deploy another image.",
  },
  not_in_image: {
    reason: "The image of the instance does not support the channel.",
    remedy: "Deploy an image that supports the channel, or delete the channel.",
  },
};

/** @returns null from a tenant's Worker of an earlier version */
export function connectionsOf({ socketChannels, sleep }: SandboxStatus): ChannelConnection[] | null {
  if (socketChannels === undefined) return null;
  const keepsAwake = sleep?.withChannels !== true;
  return socketChannels.map(({ messenger, account, condition, error, isOwn, cause }) => ({
    ...{ messenger, account, condition, label: messengerLabel(messenger) },
    reason: reasonOf({ condition, error, cause }, keepsAwake),
    cause: cause ?? null,
    remedy: cause ? CAUSES[cause].remedy : null,
    is_own: isOwn,
    keeps_awake: keepsAwake,
    webhook_kind: webhookKindOf(messenger) ?? null,
  }));
}

function reasonOf(
  { condition, error, cause }: Pick<SocketChannel, "condition" | "error" | "cause">,
  keepsAwake: boolean,
): string | null {
  if (cause) return [CAUSES[cause].reason, error].filter(Boolean).join(" ");
  return condition === "offline_while_asleep" ? (keepsAwake ? ASLEEP_ANYWAY : ASLEEP) : (error ?? null);
}

/** Returns the platform's own connection of a kind's messenger. */
export const ownConnection = (status: SandboxStatus, kind: ChannelKind): ChannelConnection | undefined =>
  connectionsOf(status)?.find((one) => one.is_own && one.messenger === messengerOf(kind));

/** Returns what the owner does next. */
export function stepsFor(connection: ChannelConnection | undefined, steps: readonly string[]): string[] {
  if (connection === undefined || connection.condition === "connecting") {
    return ["Wait until the gateway has connected. It retries by itself."];
  }
  const { condition, webhook_kind: webhook, keeps_awake, label, remedy } = connection;
  if (remedy !== null) return [`${connection.reason} ${remedy}`];
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
