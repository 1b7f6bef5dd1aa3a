import { PROVIDER_KEY_STATES, type ProviderKeyState } from "#domain/provider-keys/providers.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const TONES: Readonly<Record<ProviderKeyState, Tone>> = {
  pushing: "busy",
  push_failed: "bad",
  active: "good",
  rejected: "bad",
  quota_exceeded: "bad",
  rate_limited: "busy",
};

export function ProviderKeyBadge({ state }: { state: ProviderKeyState }) {
  const [text, title] = PROVIDER_KEY_STATES[state];
  return (
    <Badge tone={TONES[state]} title={title}>
      {text}
    </Badge>
  );
}
