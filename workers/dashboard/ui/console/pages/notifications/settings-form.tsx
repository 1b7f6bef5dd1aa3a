import { type FormEvent, useRef, useState } from "react";
import { type NotificationChoices, notificationKinds } from "#domain/notifications/kinds.ts";
import { webhookUrlFault } from "#domain/notifications/webhook-url.ts";
import { type NotificationSettings, notificationRoutes } from "#workers/contracts/api/people/notifications.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { isConflict, SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { KindTable } from "./kind-table.tsx";
import { WebhookFields } from "./webhook-fields.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";

interface SettingsFormProps {
  clientId: string;
  settings: NotificationSettings;
}

export function SettingsForm({ clientId, settings }: SettingsFormProps) {
  const { setNotificationSettings: route } = notificationRoutes;
  const draft = useRowDraft<NotificationChoices>(`notifications.${clientId}`, settings.version, route.tag);
  // Not in the draft, which the browser stores: the address may contain a token.
  const [url, setUrl] = useState("");
  const [removes, setRemoves] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const sent = useRef(draft.edits);
  const save = useChange(route, {
    success: "Notification settings saved",
    onDone: ({ version, webhook_secret }, { body }) => {
      draft.end(version, sent.current);
      setUrl((entered) => (body.webhook?.url === entered.trim() ? "" : entered));
      setRemoves(false);
      setSecret(webhook_secret);
    },
  });
  const choices = { ...settings.kinds, ...draft.edits };
  const kinds = changedKinds(settings.kinds, choices);
  const address = removes ? "" : url.trim();
  const urlFault = address === "" ? undefined : webhookUrlFault(address);
  const isChanged = Object.keys(kinds).length > 0 || address !== "" || removes;
  const isReady = isChanged && urlFault === undefined && !isConflict(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || save.isPending) return;
    sent.current = draft.edits;
    const webhook = removes ? null : address === "" ? undefined : { url: address };
    save.mutate({
      params: { client_id: clientId },
      body: { kinds, ...(webhook !== undefined && { webhook }) },
      version: draft.version,
    });
  };
  const discard = () => {
    draft.discard();
    setUrl("");
    setRemoves(false);
    save.reset();
  };
  return (
    <form aria-label="Notification settings" onSubmit={submit} noValidate className="flex flex-col gap-4">
      <KindTable
        choices={choices}
        hasWebhook={address !== "" || (settings.webhook !== null && !removes)}
        onChange={(kind, choice) => draft.change({ [kind]: choice })}
      />
      <WebhookFields
        webhook={settings.webhook}
        url={url}
        removes={removes}
        fault={urlFault === undefined ? fieldFaults(save.error).webhook : `The address ${urlFault}.`}
        onUrl={setUrl}
        onRemoves={setRemoves}
      />
      <SaveFault change={save} onReload={draft.reload} />
      <footer className="flex justify-end gap-2">
        {isChanged ? <Button onClick={discard}>Discard changes</Button> : null}
        <Button type="submit" variant="primary" busy={save.isPending} disabled={!isReady}>
          Save settings
        </Button>
      </footer>
      {secret === null ? null : <WebhookSecret secret={secret} onClose={() => setSecret(null)} />}
    </form>
  );
}

const changedKinds = (stored: NotificationChoices, wanted: NotificationChoices): Partial<NotificationChoices> =>
  Object.fromEntries(
    notificationKinds
      .filter((kind) => stored[kind].mail !== wanted[kind].mail || stored[kind].webhook !== wanted[kind].webhook)
      .map((kind) => [kind, wanted[kind]]),
  );
