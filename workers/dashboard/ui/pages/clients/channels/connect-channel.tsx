import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type * as z from "zod";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  type ChannelValues,
  channelKinds,
  LINKED_MESSENGERS,
  messengerLabel,
  messengerOf,
  termsOf,
  webhookKindOf,
} from "#domain/channels/kinds.ts";
import { channelRoutes, type createdChannel } from "#workers/contracts/api/tenants/channels.ts";
import { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Dialog, FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { ChannelBadge } from "./channel-badge.tsx";
import { Steps } from "./steps.tsx";
import { enteredValues, isComplete, TokenFields } from "./token-fields.tsx";

const KIND_CHOICES = channelKinds.map((kind) => ({ value: kind, name: CHANNEL_KINDS[kind].label }));

const LINKED = Object.values(LINKED_MESSENGERS).join(" and ");

function socketTerms(kind: ChannelKind): string {
  const webhook = webhookKindOf(messengerOf(kind));
  const other = webhook === undefined ? "" : ` ${messengerLabel(webhook)} by webhook does not need it.`;
  return `The agent keeps a connection. By the plan, this keeps the agent awake, or no messages arrive while it sleeps.${other}`;
}

export default function ConnectChannel({ instanceId, onClose }: { instanceId: string; onClose: () => void }) {
  // A tenant's user has access to no other tenant.
  const isOperator = useViewer().tenant === null;
  const [kind, setKind] = useState<ChannelKind>("telegram");
  const [pasted, setPasted] = useState<ChannelValues>({});
  const [move, setMove] = useState(false);
  const [allowHosts, setAllowHosts] = useState(false);
  const [created, setCreated] = useState<z.infer<typeof createdChannel>>();
  const egress = useQuery(apiQuery(egressRoutes.getEgress, { params: { instance_id: instanceId } }));
  const connect = useChange(channelRoutes.createChannel, {
    also: ["doors"],
    onDone: (channel) => {
      setPasted({});
      setCreated(channel);
    },
  });
  if (created !== undefined) return <Connected channel={created} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title="Connect channel"
      about={`The token is checked with the messenger, and stored encrypted. ${LINKED} are linked in the agent itself instead.`}
      action="Connect channel"
      change={connect}
      showsOnce
      ready={isComplete(kind, pasted)}
      onSubmit={() =>
        connect.mutate({
          params: { instance_id: instanceId },
          body: { kind, move, allow_hosts: allowHosts, ...enteredValues(pasted) },
        })
      }
    >
      <SelectField
        label="Messenger"
        value={kind}
        onChange={(next) => {
          setKind(next);
          setPasted({});
          connect.reset();
        }}
        choices={KIND_CHOICES}
      />
      {termsOf(kind).transport === "socket" ? <p className="text-soft">{socketTerms(kind)}</p> : null}
      <TokenFields kind={kind} pasted={pasted} onChange={setPasted} error={connect.error} />
      {isOperator ? (
        <CheckField
          label="Move the bot here if another tenant has it"
          about="Only from a tenant that you have access to. It is disconnected there."
          checked={move}
          onChange={setMove}
        />
      ) : null}
      {egress.data?.mode === "allowlist" ? (
        <CheckField
          label="Allow the messenger in the network policy"
          about="The policy blocks hosts that it does not list. This adds the messenger's."
          checked={allowHosts}
          onChange={setAllowHosts}
        />
      ) : null}
    </FormDialog>
  );
}

interface ConnectedProps {
  channel: z.infer<typeof createdChannel>;
  onClose: () => void;
}

function Connected({ channel, onClose }: ConnectedProps) {
  const { id, instance_id, kind, account, url, steps } = channel;
  const list = useQuery(apiQuery(channelRoutes.listChannels, { params: { instance_id } }));
  const { state } = list.data?.data.find((one) => one.id === id) ?? channel;
  return (
    <Dialog onClose={onClose} stays wide title={`${account.name} added`}>
      <div className="flex flex-col gap-4">
        <p role="status" className="flex items-center gap-2">
          State <ChannelBadge state={state} />
          {state === "pushing" ? <span className="text-soft">The agent gets it, usually within a minute.</span> : null}
        </p>
        <p className="text-[0.8125rem] font-medium">Next steps</p>
        <Steps
          steps={[...steps, `In the list of channels, open the actions of ${account.name}, and select Test channel.`]}
        />
        {kind === "telegram" || url === null ? null : (
          <p className="flex items-start gap-2 rounded-md border border-line bg-card py-1 pr-1 pl-2.5">
            <code className="min-w-0 flex-1 py-1 text-[0.8125rem] break-all">{url}</code>
            <CopyButton text={url} what="URL" />
          </p>
        )}
        {kind === "telegram" || url === null ? null : <p className="text-soft">The URL is shown once.</p>}
        <footer className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
