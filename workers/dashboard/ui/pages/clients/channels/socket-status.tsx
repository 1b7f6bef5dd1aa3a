import type { ChannelConnection } from "#workers/contracts/api/tenants/channel-connection.ts";
import type { ChannelCondition } from "#workers/contracts/tenant/sandbox-status.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const TONES: Readonly<Record<ChannelCondition, readonly [tone: Tone, text: string]>> = {
  online: ["good", "online"],
  connecting: ["busy", "connecting"],
  failed: ["bad", "failed"],
  offline_while_asleep: ["quiet", "offline while asleep"],
};

/** Whether a channel is online, and what helps if it was left out or the plan lets its instance sleep. */
export function SocketStatus({ connection }: { connection: ChannelConnection }) {
  const { condition, reason, keeps_awake, webhook_kind, label, remedy } = connection;
  const [tone, text] = TONES[condition];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {reason === null ? null : <span className="block text-xs text-quiet">{reason}</span>}
      {remedy === null ? null : <span className="block text-xs text-quiet">{remedy}</span>}
      {keeps_awake || webhook_kind === null || remedy !== null ? null : (
        <span className="block text-xs text-quiet">By webhook, messages of {label} wake the instance.</span>
      )}
    </>
  );
}

/** Channels that the tenant connected within its gateway, such as WhatsApp by a QR code. */
export function LinkedChannels({ connections }: { connections: readonly ChannelConnection[] }) {
  if (connections.length === 0) return null;
  return (
    <section aria-label="Connected within OpenClaw" className="border-t border-line px-4 py-3">
      <p className="text-[0.8125rem] font-medium">Connected within OpenClaw</p>
      <ul className="mt-2 flex flex-col gap-2">
        {connections.map((one) => (
          <li key={`${one.messenger}:${one.account}`}>
            <span className="mr-2">
              {one.label} ({one.account})
            </span>
            <SocketStatus connection={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}
