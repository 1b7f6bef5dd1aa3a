import type { ProviderKeyState } from "#domain/provider-keys/providers.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const TONES: Readonly<Record<ProviderKeyState, readonly [tone: Tone, text: string, title: string]>> = {
  pushing: ["busy", "sending", "The tenant does not have the key yet"],
  push_failed: ["bad", "not sent", "The key could not be sent to the tenant"],
  active: ["good", "active", "The tenant uses the key"],
  rejected: ["bad", "rejected", "The provider rejected the key in the last call"],
  quota_exceeded: ["bad", "no quota", "The provider's account has no credit, or is beyond its budget"],
  rate_limited: ["busy", "rate limited", "The provider limited the last call"],
};

export function ProviderKeyBadge({ state }: { state: ProviderKeyState }) {
  const [tone, text, title] = TONES[state];
  return (
    <Badge tone={tone} title={title}>
      {text}
    </Badge>
  );
}
