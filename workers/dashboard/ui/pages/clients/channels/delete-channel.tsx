import { useState } from "react";
import { CHANNEL_KINDS } from "#domain/channels/kinds.ts";
import { type Channel, channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog, Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Steps } from "./steps.tsx";

interface DeleteChannelProps {
  channel: Channel;
  onClose: () => void;
  reload: () => Promise<unknown>;
}

export default function DeleteChannel({
  channel: { id, kind, account, version },
  onClose,
  reload,
}: DeleteChannelProps) {
  const [remaining, setRemaining] = useState<readonly string[]>();
  const remove = useChange(channelRoutes.deleteChannel, {
    also: ["doors"],
    success: `Channel ${account.name} deleted`,
    onDone: (answer) => (answer.remaining.length === 0 ? onClose() : setRemaining(answer.remaining)),
  });
  if (remaining !== undefined) {
    return (
      <Dialog onClose={onClose} stays title="One step remains">
        <div className="flex flex-col gap-4">
          <Steps steps={remaining} />
          <footer className="flex justify-end">
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </footer>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete channel ${account.name}?`}
      about={`The agent no longer receives messages of ${CHANNEL_KINDS[kind].label}, and its token is deleted, with its webhook address if it has one. To undo this, connect the bot again.`}
      action="Delete channel"
      danger
      typed={account.name}
      change={remove}
      onReload={reload}
      onSubmit={() => remove.mutate({ params: { id }, version })}
    />
  );
}
