import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Dialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { ShownValues } from "#workers/dashboard/ui/kit/shown-values.tsx";

/** The secret of a webhook, which the API returns once. */
export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog onClose={onClose} stays wide title="Secret of the webhook">
    <div className="flex flex-col gap-4">
      <Notice tone="busy" title="Shown once">
        <p>Copy this value now. To replace a lost one, enter the webhook address again.</p>
      </Notice>
      <ShownValues values={[{ name: "Secret", value: secret }]} />
      <p className="text-soft">
        Your service verifies with it that a webhook is from this platform, by the headers of Standard Webhooks.
      </p>
      <footer className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </div>
  </Dialog>
);
