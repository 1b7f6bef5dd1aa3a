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
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { CopyButton } from "#workers/dashboard/ui/kit/copy.tsx";
import { Dialog, FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Steps } from "./steps.tsx";
import { enteredValues, isComplete, TokenFields } from "./token-fields.tsx";

const KIND_CHOICES = channelKinds.map((kind) => ({ value: kind, name: CHANNEL_KINDS[kind].label }));

const LINKED = Object.values(LINKED_MESSENGERS).join(" and ");

function socketTerms(kind: ChannelKind): string {
  const webhook = webhookKindOf(messengerOf(kind));
  const other = webhook === undefined ? "" : ` ${messengerLabel(webhook)} by webhook does not need it.`;
  return `The gateway keeps a connection, which keeps the instance awake, or ends while it sleeps, by its plan.${other}`;
}

export default function ConnectChannel({ instanceId, onClose }: { instanceId: string; onClose: () => void }) {
  // A tenant's user has access to no other tenant.
  const isOperator = useViewer().tenant === null;
  const [kind, setKind] = useState<ChannelKind>("telegram");
  const [pasted, setPasted] = useState<ChannelValues>({});
  const [move, setMove] = useState(false);
  const [allowHosts, setAllowHosts] = useState(false);
  const [created, setCreated] = useState<z.infer<typeof createdChannel>>();
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
      about={`The platform checks the token at the messenger, and stores it encrypted. ${LINKED} are connected within OpenClaw.`}
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
      <CheckField
        label="Add its hosts to the allowlist"
        about="If the egress policy of the tenant does not allow them."
        checked={allowHosts}
        onChange={setAllowHosts}
      />
    </FormDialog>
  );
}

interface ConnectedProps {
  channel: z.infer<typeof createdChannel>;
  onClose: () => void;
}

function Connected({ channel: { kind, account, url, steps }, onClose }: ConnectedProps) {
  return (
    <Dialog onClose={onClose} stays wide title={`${account.name} connected`}>
      <div className="flex flex-col gap-4">
        <p className="text-[0.8125rem] font-medium">Next steps</p>
        <Steps steps={steps} />
        {kind === "telegram" || url === null ? null : (
          <p className="flex items-start gap-2 rounded-md border border-line bg-card py-1 pr-1 pl-2.5">
            <code className="min-w-0 flex-1 py-1 text-[0.8125rem] break-all">{url}</code>
            <CopyButton text={url} what="URL" />
          </p>
        )}
        <p className="text-soft">
          {kind === "telegram" || url === null ? null : "The URL is shown once. "}Then select Test channel in the menu
          of the bot.
        </p>
        <footer className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
