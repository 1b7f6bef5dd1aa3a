import { useEffect } from "react";
import { CHANNEL_KINDS } from "#domain/channels/kinds.ts";
import {
  type Channel,
  type ChannelTest,
  type ChannelWebhook,
  channelRoutes,
} from "#workers/contracts/api/tenants/channels.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { SocketStatus } from "./socket-status.tsx";
import { Steps } from "./steps.tsx";

const REGISTRATIONS: Readonly<Record<ChannelWebhook["registration"], string>> = {
  registered: "sends the bot's messages to this agent.",
  elsewhere: "sends the bot's messages to another address.",
  none: "has no address for the bot's messages.",
  unknown: "does not say where it sends the bot's messages.",
};

export default function TestChannel({
  channel: { id, kind, account },
  onClose,
}: {
  channel: Channel;
  onClose: () => void;
}) {
  const test = useChange(channelRoutes.testChannel);
  const { mutate, data, error, isPending } = test;
  useEffect(() => mutate({ params: { id } }), [mutate, id]);
  return (
    <Dialog onClose={onClose} title={`Test of ${account.name}`}>
      <div className="flex flex-col gap-4" aria-busy={isPending}>
        {error === null ? null : (
          <Notice tone="bad" title="Test failed">
            <p>{error.message}</p>
          </Notice>
        )}
        {data === undefined ? null : (
          <>
            <Verdict result={data} />
            {data.webhook === null ? null : (
              <p>
                {CHANNEL_KINDS[kind].label} {REGISTRATIONS[data.webhook.registration]}
              </p>
            )}
            {data.connection === null ? null : <SocketStatus connection={data.connection} />}
            {data.webhook?.error ? <p className="text-soft">Its last error: {data.webhook.error}</p> : null}
          </>
        )}
        {data === undefined && error === null ? <p className="text-quiet">Testing…</p> : null}
        <footer className="flex justify-end gap-2">
          <Button disabled={isPending} onClick={() => mutate({ params: { id } })}>
            Test again
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}

function Verdict({ result: { message, connection, steps } }: { result: ChannelTest }) {
  if (steps.length > 0) {
    return (
      <Notice
        tone="busy"
        title={message === "accepted" ? "The channel does not work" : "The channel does not work yet"}
      >
        <Steps steps={steps} />
      </Notice>
    );
  }
  if (message !== "accepted" && connection?.condition !== "online") return null;
  return (
    <Notice tone="info" title="The channel works">
      {message === "accepted" ? "The agent has accepted a message." : "The agent is connected."}
    </Notice>
  );
}
