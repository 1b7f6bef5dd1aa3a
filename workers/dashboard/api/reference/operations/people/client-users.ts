import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { clientUser, IDS, onePage } from "../examples.ts";
import { section } from "../section.ts";

const ofClient = { client_id: IDS.client };
const params = { ...ofClient, id: IDS.clientUser };
const DELETED = "The client is being deleted.";

const LAST = "The caller is an ADMIN of the client, and the user is its only ADMIN.";

export const clientUserSection = section(
  clientUserRoutes,
  "Client users",
  "A client user is a person with a role at one client: `ADMIN` manages the gateway, `BASE_USER` uses it. New users are invited by mail and have access once they accept.",
  {
    listClientUsers: {
      description:
        "Returns the users of a client with their role, status and instances, newest first, also invited and rejected ones. `total` is returned only without the filter `status`.",
      params: ofClient,
      query: { status: "invited" },
      answer: onePage(clientUser),
    },
    inviteClientUser: {
      description:
        "Creates an invited user and queues a mail with a personal link, valid for seven days. The user has access to the given instances after accepting. A caller can send at most 60 invitations per hour.",
      params: ofClient,
      body: { email: clientUser.email, name: clientUser.name, role: "ADMIN", instance_ids: [IDS.instance] },
      answer: clientUser,
      errors: { conflict: `The address is already a user of the client or has an open invitation. Or: ${DELETED}` },
    },
    updateClientUser: {
      description:
        "Changes the name or role of a client's user. A new role is effective within seconds, also in open sessions.",
      params,
      body: { role: "BASE_USER" },
      answer: { ...clientUser, role: "BASE_USER", version: 2 },
      errors: { conflict: LAST },
    },
    removeClientUser: {
      description:
        "Removes a user from a client and ends the user's open sessions there. The user's access to other clients stays.",
      params,
      errors: { conflict: LAST },
    },
    resendInvitation: {
      description:
        "Queues another mail with a new link, valid for seven days, also for an expired or revoked invitation. The previous link stops working.",
      params,
      answer: { ...clientUser, expires_at: "2026-11-10T09:00:00.000Z", version: 2 },
      errors: { conflict: `The user has accepted or rejected the invitation. Or: ${DELETED}` },
    },
    revokeInvitation: {
      description:
        "Makes the link of an open invitation invalid; a queued mail is not sent. The user stays in the list as `invited`, and can be invited again.",
      params,
      answer: { ...clientUser, expires_at: "2026-11-02T11:00:00.000Z", version: 2 },
      errors: { conflict: "The user has no open invitation." },
    },
  },
);
