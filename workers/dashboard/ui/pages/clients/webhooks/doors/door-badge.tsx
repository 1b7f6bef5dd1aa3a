import type { DoorState } from "#domain/doors/door.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";

const TONES: Readonly<Record<DoorState, readonly [tone: Tone, title: string]>> = {
  active: ["good", "Accepts webhooks with a valid signature"],
  disabled: ["quiet", "Refuses every webhook"],
};

export function DoorBadge({ state }: { state: DoorState }) {
  const [tone, title] = TONES[state];
  return (
    <Badge tone={tone} title={title}>
      {state}
    </Badge>
  );
}
