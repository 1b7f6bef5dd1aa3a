import { useState } from "react";
import { linesOf, textOfEntries } from "#domain/egress/entry-text.ts";
import { type EgressMode, type EgressPolicy, egressModes } from "#domain/egress/policy-types.ts";
import { egressRefusalText } from "#domain/egress/refusals.ts";
import { type Egress, type EgressLoss, egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { SelectField, TextArea } from "#workers/dashboard/ui/kit/form/field.tsx";
import { SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";

const MODES: Readonly<Record<EgressMode, string>> = {
  open: "Open: any public host",
  audit: "Audit: any public host, recorded",
  allowlist: "Allowlist: listed hosts only",
};
const INHERIT = "inherit";
const CHOICES = [
  { value: INHERIT, name: "None: as plan, platform and partner state" },
  ...egressModes.map((mode) => ({ value: mode, name: MODES[mode] })),
];
const STATES: Readonly<Record<Egress["state"], readonly [tone: Tone, text: string]>> = {
  none: ["good", "nothing to send"],
  pushing: ["busy", "sending"],
  push_failed: ["bad", "not sent"],
  active: ["good", "active"],
};
const LAYERS = { plan: "Plan", platform: "Platform", partner: "Partner", tenant: "This tenant" } as const;

const stated = (policy: EgressPolicy | null): string => {
  if (policy === null) return "nothing";
  return policy.mode === "allowlist" ? `allowlist with ${policy.entries.length} entries` : policy.mode;
};

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
  const [mode, setMode] = useState<string>(initial?.mode ?? INHERIT);
  const [text, setText] = useState(textOfEntries(initial?.entries ?? []));
  const [losses, setLosses] = useState<readonly EgressLoss[]>();
  const save = useChange(egressRoutes.putEgress, { success: "Policy saved", onDone: () => setLosses(undefined) });
  const preview = useChange(egressRoutes.putEgress, { onDone: ({ would_refuse }) => setLosses(would_refuse ?? []) });
  const known = egressModes.find((one) => one === mode);
  const policy = known === undefined ? null : { mode: known, entries: linesOf(text) };
  const body = { policy };
  const params = { instance_id: instanceId };
  const edit = (change: () => void) => {
    change();
    setLosses(undefined);
    save.reset();
    preview.reset();
  };
  const failed = save.error === null ? preview : save;
  const faults = Object.entries(fieldFaults(failed.error)).map(([path, fault]) => `${lineAt(path)}${fault}`);
  const [tone, state] = STATES[egress.state];
  return (
    <Card
      title="Network"
      about="What the container may reach. The strictest mode holds, and each allowlist must have the host."
      actions={<Badge tone={tone}>{state}</Badge>}
    >
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            factEntry("In force", <strong>{egress.mode}</strong>),
            ...Object.entries(LAYERS).map(([name, label]) =>
              factEntry(label, stated(egress.layers[name as keyof typeof LAYERS])),
            ),
          ]}
        />
        {egress.last_error === null ? null : <Notice tone="bad">{egress.last_error}</Notice>}
        {declared ? (
          <p className="text-quiet">The stack file has this tenant's policy: change `egress` of the client there.</p>
        ) : (
          <form
            noValidate
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              save.mutate({ params, query: {}, body, version: egress.version });
            }}
          >
            <SelectField label="Mode" value={mode} choices={CHOICES} onChange={(next) => edit(() => setMode(next))} />
            {policy === null ? null : (
              <TextArea
                label="Hosts"
                about="One per line, with optional ports and methods: *.example.com 443,8443 GET,POST. Used in the mode allowlist."
                value={text}
                onChange={(next) => edit(() => setText(next))}
                fault={faults.length === 0 ? undefined : faults.join(" ")}
                spellCheck={false}
                rows={8}
                className="font-mono"
              />
            )}
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

/** Returns the line of a fault, such as of `policy.entries.2`. */
function lineAt(path: string): string {
  const [, index] = /^policy\.entries\.(\d+)/.exec(path) ?? [];
  return index === undefined ? "" : `Entry ${Number(index) + 1}: `;
}

const Losses = ({ losses }: { losses: readonly EgressLoss[] }) =>
  losses.length === 0 ? (
    <Notice tone="info">Nothing of the recorded traffic would be refused.</Notice>
  ) : (
    <Notice tone="busy" title="Recorded traffic that would be refused">
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
