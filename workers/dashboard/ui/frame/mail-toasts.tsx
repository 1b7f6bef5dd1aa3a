/** Tells what became of mails to invited people, wherever the viewer is just now. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import * as z from "zod";
import type { LiveMessage } from "#workers/contracts/live-messages.ts";
import { listen } from "../api/live.ts";
import { type ToastText, toast } from "../kit/toast/toast.ts";

/** Of `mail.*` (`database/work/mails.ts`); news of an older release have no recipient. */
const mail = z.object({ kind: z.string(), recipient: z.string().optional(), answer: z.string().optional() });
type Told = z.infer<typeof mail>;

const OUTCOMES: Readonly<Record<string, ((told: Told) => ToastText) | undefined>> = {
  "mail.sent": ({ recipient = "an address" }) => ({
    title: `The invitation to ${recipient} is sent`,
    about: "The mail server has taken it.",
  }),
  "mail.bounced": ({ recipient = "an address" }) => ({
    kind: "failed",
    title: `The invitation to ${recipient} came back`,
    about: "The address takes no mail: check it, remove the user and invite again.",
  }),
  "mail.failed": ({ recipient = "an address", answer }) => ({
    kind: "failed",
    title: `The invitation to ${recipient} is not sent`,
    about: answer === undefined ? "The mail server did not take it: resend it." : `${sentence(answer)}.`,
  }),
};

/** @returns undefined for news of something else */
function toastOf({ kind, data }: LiveMessage): ToastText | undefined {
  const told = mail.safeParse(data).data;
  return told?.kind === "invitation" ? OUTCOMES[kind]?.(told) : undefined;
}

export function MailToasts() {
  const navigate = useNavigate();
  useEffect(
    () =>
      listen((news, isLate) => {
        const text = isLate ? undefined : toastOf(news);
        if (text === undefined) return;
        const users = `/clients/${news.client_id}/users`;
        const isToMend = text.kind === "failed" && news.client_id !== null;
        toast({ ...text, ...(isToMend && { action: { name: "Users", run: () => void navigate({ to: users }) } }) });
      }),
    [navigate],
  );
  return null;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
