/** What the mail says that asks someone to become a client's user. */
import { headerText, type Message } from "./content.ts";

export interface InvitationMail {
  /** Name of the client. */
  client: string;
  /** Who invites, as people know them. */
  sender: string;
  /** Name of the invited; empty where nobody said. */
  user: string;
  /** Where it is answered. */
  url: string;
}

export function invitationMessage({ client, sender, user, url }: InvitationMail): Message {
  return {
    subject: headerText(`Invitation to ${client}`),
    paragraphs: [
      user === "" ? "Hello," : `Hello ${user},`,
      `${sender} invites you to use the agents of ${client}. Accept the invitation, and log in with this address.`,
    ],
    action: { label: "Accept or reject the invitation", url },
    footnote:
      "The link is for you alone and holds for some days. If you expected no invitation, reject it, or do nothing.",
  };
}
