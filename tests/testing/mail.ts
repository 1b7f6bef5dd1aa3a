/** Reads the edge's mail catcher. */
import type { Edge } from "#local/edge.ts";

/** Returns links to invitations in the mails to an address, newest first. */
export async function invitationsTo(
  { mail, apiToken }: Pick<Edge, "mail" | "apiToken">,
  email: string,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${apiToken}` };
  const { messages } = (await (await fetch(mail.api, { headers })).json()) as {
    messages: { id: string; to: string[] }[];
  };
  const texts = messages
    .filter(({ to }) => to.includes(email))
    .map(async ({ id }) => ((await (await fetch(`${mail.api}/${id}`, { headers })).json()) as { text: string }).text);
  return (await Promise.all(texts)).flatMap((text) => /http:\S+\/invitations\/\S+/.exec(text) ?? []);
}
