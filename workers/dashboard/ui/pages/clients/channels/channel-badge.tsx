import type { ChannelState } from "#domain/channels/channel.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const TONES: Readonly<Record<ChannelState, readonly [tone: Tone, text: string, title: string]>> = {
  pushing: ["busy", "sending token", "The agent does not have the present token yet"],
  push_failed: ["bad", "not sent", "The token could not be sent to the agent"],
  token_rejected: ["bad", "token rejected", "The vendor rejects the token"],
  webhook_lost: ["bad", "no webhook", "The vendor does not send the bot's messages to the agent"],
  waiting_for_first_message: ["busy", "waiting for a message", "Test the channel to see what to do"],
  sent: ["busy", "sent", "The agent has the token; its status is unavailable"],
  connected: ["good", "connected", "The agent has accepted a message"],
};

export function ChannelBadge({ state }: { state: ChannelState }) {
  const [tone, text, title] = TONES[state];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}
