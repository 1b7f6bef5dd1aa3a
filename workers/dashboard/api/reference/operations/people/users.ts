import { userRoutes } from "#workers/contracts/api/people/users.ts";
import { IDS, onePage, user } from "../examples.ts";
import { section } from "../section.ts";

const params = { user_id: IDS.person };
const person = {
  ...user,
  status: null,
  validated_at: null,
  cf_access_identity: null,
  instance_ids: [],
  clients: [],
  updated_at: user.created_at,
  version: 1,
};

export const userSection = section(
  userRoutes,
  "Users",
  "A user is either a root of the dashboard (`ROOT` of the platform, `PARTNER_ROOT` of one partner) or a person who uses the instances of clients.",
  {
    listUsers: {
      description:
        "Returns dashboard roots and people, newest first. A partner root receives the users of its partner only. Filter by `kind` to get one of the two.",
      query: { kind: "person", search: "ada" },
      answer: onePage(user),
    },
    getUser: { description: "Returns a user with the clients that the user belongs to.", params, answer: user },
    createUser: {
      description:
        "Creates a root, who can log in to the dashboard, or a person without access to any client. The request sends no mail. Give a person access with `linkUser`, or invite a new one with `inviteClientUser`.",
      body: { email: user.email, name: user.name, role: "ADMIN", partner_id: IDS.partner },
      answer: person,
      errors: {
        conflict: "A user with this address exists already.",
        forbidden: "A partner root tried to create a root, or a person of another partner.",
      },
    },
    deleteUser: {
      description:
        "Deletes a user and ends all of the user's access within seconds. For a person this includes the access to every client.",
      params,
      errors: {
        conflict: "The user is the caller, or another request deleted the caller at the same time.",
        forbidden: "A partner root tried to delete a root.",
      },
    },
    linkUser: {
      description:
        "Gives a person access to instances of a client at once, without an invitation. For an address without a person use `inviteClientUser`.",
      params: { client_id: IDS.client, ...params },
      body: { role: "ADMIN", instance_ids: [IDS.instance] },
      answer: user,
      errors: {
        conflict:
          "The user is a root, belongs to another partner, or is already a user of the client; or the client has no instance and `instance_ids` is missing.",
      },
    },
  },
);
