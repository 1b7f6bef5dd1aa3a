import { useState } from "react";
import type { EgressPolicy } from "#domain/egress/policy-types.ts";
import { egressRefusalText } from "#domain/egress/refusals.ts";
import { type Egress, type EgressLoss, egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { describeMode, describePolicy, formOf, PolicyFields, type PolicyForm, policyOf } from "./policy-fields.tsx";

const STATES: Readonly<Record<Egress["state"], readonly [tone: Tone, text: string]>> = {
  none: ["good", "No own rule"],
  pushing: ["busy", "Being applied"],
  push_failed: ["bad", "Not applied"],
  active: ["good", "Active"],
};
const LAYERS = { plan: "Plan", platform: "Platform", partner: "Partner", tenant: "Own rule" } as const;

interface PolicyCardProps {
  instanceId: string;
  egress: Egress;
  /** What the form begins with. */
  initial: EgressPolicy | null;
  /** Whether a stack file has the policy. */
  declared: boolean;
  onReload: () => Promise<unknown>;
}

export function PolicyCard({ instanceId, egress, initial, declared, onReload }: PolicyCardProps) {
  const [stated, setStated] = useState(() => formOf(initial));
  const [losses, setLosses] = useState<readonly EgressLoss[]>();
  const save = useChange(egressRoutes.putEgress, { success: "Policy saved", onDone: () => setLosses(undefined) });
  const preview = useChange(egressRoutes.putEgress, { onDone: ({ would_refuse }) => setLosses(would_refuse ?? []) });
  const body = { policy: policyOf(stated) };
  const params = { instance_id: instanceId };
  const edit = (next: PolicyForm) => {
    setStated(next);
    setLosses(undefined);
    save.reset();
    preview.reset();
  };
  const failed = save.error === null ? preview : save;
  const [tone, state] = STATES[egress.state];
  return (
    <Card
      title="Egress policy"
      about="Several rules may apply at once. The strictest mode applies, and a host must be in every allowlist."
      actions={<Badge tone={tone}>{state}</Badge>}
    >
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            factEntry("In force", <strong>{describeMode(egress.mode)}</strong>),
            ...Object.entries(LAYERS).map(([name, label]) =>
              factEntry(label, describePolicy(egress.layers[name as keyof typeof LAYERS])),
            ),
          ]}
        />
        {egress.last_error === null ? null : <Notice tone="bad">{egress.last_error}</Notice>}
        {declared ? (
          <Declared />
        ) : (
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              save.mutate({ params, query: {}, body, version: egress.version });
            }}
          >
            <PolicyFields value={stated} onChange={edit} none="No own rule" error={failed.error} />
            {losses === undefined ? null : <Losses losses={losses} />}
            <SaveFault change={failed} onReload={onReload} />
            <footer className="flex justify-end gap-2">
              <Button
                busy={preview.isPending}
                onClick={() => preview.mutate({ params, query: { preview: "true" }, body, version: egress.version })}
              >
                Preview
              </Button>
              <Button type="submit" variant="primary" busy={save.isPending}>
                Save policy
              </Button>
            </footer>
          </form>
        )}
      </div>
    </Card>
  );
}

function Declared() {
  const isOperator = useViewer().tenant === null;
  return (
    <p className="text-quiet">
      {isOperator
        ? "The stack file has this tenant's policy: change `egress` of the client there."
        : "Your operator sets this tenant's policy."}
    </p>
  );
}

const Losses = ({ losses }: { losses: readonly EgressLoss[] }) =>
  losses.length === 0 ? (
    <Notice tone="info">No recorded request would be refused.</Notice>
  ) : (
    <Notice tone="busy" title="Recorded requests that would be refused">
      <ul>
        {losses.map(({ host, port, program, requests, reason }) => (
          <li key={`${host} ${port} ${program}`}>
            <code>
              {host}:{port}
            </code>
            , {requests} requests{program === null ? "" : ` of ${program}`}.{" "}
            {egressRefusalText(reason, { host, port, method: "any" })}
          </li>
        ))}
      </ul>
    </Notice>
  );
