import {
  NOTIFICATION_KINDS,
  type NotificationChoice,
  type NotificationChoices,
  type NotificationKind,
  notificationKinds,
} from "#domain/notifications/kinds.ts";
import { CONTROL } from "#workers/dashboard/ui/kit/form/control.ts";

const MAIL_NAMES: Readonly<Record<NotificationChoice["mail"], string>> = {
  at_once: "At once",
  daily: "Daily mail",
  off: "Off",
};

interface KindTableProps {
  choices: NotificationChoices;
  hasWebhook: boolean;
  onChange: (kind: NotificationKind, choice: NotificationChoice) => void;
}

/** One row for each kind, with its choices. */
export const KindTable = ({ choices, hasWebhook, onChange }: KindTableProps) => (
  <table aria-label="Kinds of notifications" className="w-full text-[0.8125rem]">
    {hasWebhook ? null : (
      <caption className="caption-bottom pt-2 text-left text-xs text-quiet">
        To receive notifications by webhook, first enter its address below.
      </caption>
    )}
    <thead>
      <tr className="border-b border-line text-left text-xs text-quiet">
        <th scope="col" className="py-2 pr-3 font-medium">
          Kind
        </th>
        <th scope="col" className="py-2 pr-3 font-medium">
          Mail
        </th>
        <th scope="col" className="py-2 text-center font-medium">
          Webhook
        </th>
      </tr>
    </thead>
    <tbody>
      {notificationKinds.map((kind) => {
        const { label } = NOTIFICATION_KINDS[kind];
        const choice = choices[kind];
        return (
          <tr key={kind} className="border-b border-line last:border-b-0">
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {label}
            </th>
            <td className="w-32 py-1.5 pr-3">
              <select
                aria-label={`Mail: ${label}`}
                className={`${CONTROL} h-8.5 w-full`}
                value={choice.mail}
                onChange={(event) =>
                  onChange(kind, { ...choice, mail: event.currentTarget.value as NotificationChoice["mail"] })
                }
              >
                {Object.entries(MAIL_NAMES).map(([value, name]) => (
                  <option key={value} value={value}>
                    {name}
                  </option>
                ))}
              </select>
            </td>
            <td className="w-20 py-1.5 text-center">
              <input
                type="checkbox"
                aria-label={`Webhook: ${label}`}
                className="size-4 accent-accent"
                checked={choice.webhook}
                disabled={!hasWebhook}
                onChange={(event) => onChange(kind, { ...choice, webhook: event.currentTarget.checked })}
              />
            </td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
