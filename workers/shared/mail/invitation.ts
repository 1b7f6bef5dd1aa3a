import { headerText, type Message } from "./content.ts";

export interface InvitationMail {
  client: string;
  /** Display name of the inviting user or partner. */
  sender: string;
  user: string;
  url: string;
}

export function invitationMessage({ client, sender, user, url }: InvitationMail): Message {
  return {
    subject: headerText(`Invitation to ${client}`),
    paragraphs: [
      user === "" ? "Hello," : `Hello ${user},`,
      `${sender} invites you to use the agent of ${client}. Accept the invitation, then log in with this email address.`,
    ],
    action: { label: "Accept or reject the invitation", url },
    footnote:
      "The link is for you only and is valid for at most seven days. If you did not expect an invitation, reject or ignore it.",
  };
}
