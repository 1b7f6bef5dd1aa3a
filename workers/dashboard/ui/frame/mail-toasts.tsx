import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import * as z from "zod";
import type { LiveMessage } from "#workers/contracts/live-messages.ts";
import { onLiveEvent } from "../api/live.ts";
import { capitalised } from "../kit/format.ts";
import { showToast, type ToastText } from "../kit/toast/toast.ts";

/** Data of `mail.*` events (`database/work/mails.ts`). Those of an older release have no recipient. */
const mail = z.object({ kind: z.string(), recipient: z.string().optional(), answer: z.string().optional() });

const OUTCOMES: Readonly<Record<string, ((data: z.infer<typeof mail>) => ToastText) | undefined>> = {
  "mail.sent": ({ recipient = "an address" }) => ({
    title: `Invitation to ${recipient} sent`,
    about: "The mail server accepted it.",
  }),
  "mail.bounced": ({ recipient = "an address" }) => ({
    kind: "failed",
    title: `Invitation to ${recipient} bounced`,
    about: "The address does not accept mail. Check it, remove the user and invite them again.",
  }),
  "mail.failed": ({ recipient = "an address", answer }) => ({
    kind: "failed",
    title: `Invitation to ${recipient} not sent`,
    about: answer === undefined ? "The mail server rejected it. Resend the invitation." : `${capitalised(answer)}.`,
  }),
};

function toastOf({ kind, data }: LiveMessage): ToastText | undefined {
  const parsed = mail.safeParse(data).data;
  return parsed?.kind === "invitation" ? OUTCOMES[kind]?.(parsed) : undefined;
}

/** Reports the outcome of mails to invited users on every page. */
export function MailToasts() {
  const navigate = useNavigate();
  useEffect(
    () =>
      onLiveEvent((event, isLate) => {
        const text = isLate ? undefined : toastOf(event);
        if (text === undefined) return;
        const users = `/clients/${event.client_id}/users`;
        const needsAction = text.kind === "failed" && event.client_id !== null;
        showToast({
          ...text,
          ...(needsAction && { action: { name: "Show users", run: () => void navigate({ to: users }) } }),
        });
      }),
    [navigate],
  );
  return null;
}
