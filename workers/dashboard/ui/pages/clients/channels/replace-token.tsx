import { useState } from "react";
import type { ChannelValues } from "#domain/channels/kinds.ts";
import { type Channel, channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { enteredValues, TokenFields } from "./token-fields.tsx";

interface ReplaceTokenProps {
  channel: Channel;
  onClose: () => void;
  reload: () => Promise<unknown>;
}

export default function ReplaceToken({ channel: { id, kind, account, version }, onClose, reload }: ReplaceTokenProps) {
  const [pasted, setPasted] = useState<ChannelValues>({});
  const replace = useChange(channelRoutes.replaceChannelToken, {
    also: ["doors"],
    success: `Token of ${account.name} replaced`,
    onDone: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Replace token of ${account.name}`}
      about="The new token must belong to the same bot. The agent restarts with it."
      action="Replace token"
      change={replace}
      onReload={reload}
      ready={Object.keys(enteredValues(pasted)).length > 0}
      onSubmit={() => replace.mutate({ params: { id }, body: enteredValues(pasted), version })}
    >
      <TokenFields kind={kind} pasted={pasted} onChange={setPasted} error={replace.error} isReplacement />
    </FormDialog>
  );
}
