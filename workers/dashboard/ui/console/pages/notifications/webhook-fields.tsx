import type { NotificationSettings } from "#workers/contracts/api/people/notifications.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";

interface WebhookFieldsProps {
  webhook: NotificationSettings["webhook"];
  url: string;
  removes: boolean;
  fault: string | undefined;
  onUrl: (url: string) => void;
  onRemoves: (removes: boolean) => void;
}

export const WebhookFields = ({ webhook, url, removes, fault, onUrl, onRemoves }: WebhookFieldsProps) => (
  <>
    <WebhookTrouble webhook={webhook} />
    <TextField
      label="Webhook address"
      optional
      about={
        webhook === null
          ? "For a program that receives notifications. Begins with https://. Choose in the table what it receives."
          : `The present webhook is at ${webhook.host}. Another address replaces it, and gets another secret.`
      }
      type="url"
      spellCheck={false}
      placeholder="https://hooks.example.com/…"
      value={url}
      onChange={onUrl}
      disabled={removes}
      fault={fault}
    />
    {webhook === null ? null : (
      <CheckField label={`Remove the webhook at ${webhook.host}`} checked={removes} onChange={onRemoves} />
    )}
  </>
);

function WebhookTrouble({ webhook }: Pick<WebhookFieldsProps, "webhook">) {
  if (webhook === null) return null;
  if (webhook.disabled_at !== null) {
    return (
      <Notice tone="bad" title="Webhook disabled">
        <p>
          It failed for days, and was disabled at <Moment at={webhook.disabled_at} />. Mails replace it. Enter the
          address again to use it.
        </p>
      </Notice>
    );
  }
  if (webhook.failing_since === null) return null;
  return (
    <Notice tone="busy" title="Webhook fails">
      <p>
        Each delivery has failed since <Moment at={webhook.failing_since} />. The list below has its answers.
      </p>
    </Notice>
  );
}
