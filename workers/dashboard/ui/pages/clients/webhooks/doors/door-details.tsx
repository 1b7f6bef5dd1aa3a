import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import type { Door } from "#workers/contracts/api/tenants/doors.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { hintedAddress } from "./door-address.ts";
import { DoorBadge } from "./door-badge.tsx";
import { KIND_TEXTS, secretLabel } from "./kind-texts.ts";
import { DocumentationLink } from "./shown-once.tsx";
import { WithCode } from "./with-code.tsx";

export default function DoorDetails({ door, onClose }: { door: Door; onClose: () => void }) {
  const viewer = useViewer();
  const { kind, name, state, secret_names, former_key_until, former_until } = door;
  const { label } = WEBHOOK_KINDS[kind];
  return (
    <Dialog onClose={onClose} wide title={`Webhook ${name}`} about={label}>
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            ["State", <DoorBadge key="state" state={state} />],
            ["Address", <code key="address">{hintedAddress(door, viewer)}</code>],
            ...(former_key_until === null
              ? []
              : [factEntry("Former address", <Until key="former" at={former_key_until} />)]),
            ["Secrets", secret_names.map(secretLabel).join(", ")],
            ...(former_until === null ? [] : [factEntry("Former secrets", <Until key="former" at={former_until} />)]),
            ["Last used", <Ago key="used" at={door.last_used_at} long />],
            ...(door.last_refusal === null
              ? []
              : [
                  factEntry(
                    "Last refused",
                    <>
                      <Ago at={door.last_refused_at} long />: {door.last_refusal}
                    </>,
                  ),
                ]),
            ["Created by", door.created_by],
            ...(door.managed_by === "git"
              ? [factEntry("Managed in Git", door.declared_in ?? "the stack's settings file")]
              : []),
            ["Created", <Moment key="created" at={door.created_at} />],
            ...(door.rotated_at === null ? [] : [factEntry("Rotated", <Moment key="rotated" at={door.rotated_at} />)]),
          ]}
        />
        <div className="flex flex-col gap-1">
          <p className="text-[0.8125rem] font-medium">Where to enter the address</p>
          <p className="text-soft">
            <WithCode text={KIND_TEXTS[kind].enter} />
          </p>
          <DocumentationLink kind={kind} label={label} />
        </div>
      </div>
    </Dialog>
  );
}

const Until = ({ at }: { at: string }) => (
  <>
    accepted until <Moment at={at} />
  </>
);
