import { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import { clientUser, IDS } from "../examples.ts";
import { createdToken, token } from "../people/service-tokens.ts";
import { section } from "../section.ts";

const own = { ...token, created_by: clientUser.email };
const ofToken = { slug: "acme", id: IDS.serviceToken };

export const consoleSection = section(
  consoleTokenRoutes,
  "Console",
  "The console is for users of a tenant, who have no access to the dashboard. The path `/.tenantry/` of the tenant's host redirects a person who is logged in there to the console, with a ticket that is valid for 30 seconds. The console then sets a cookie that is valid for 15 minutes, which these requests need. Service tokens are not admitted.",
  {
    listConsoleTokens: {
      description:
        "Returns your service tokens, newest first, also expired ones. An ADMIN also gets those of the client's other users, and all users for whom tokens can be created.",
      params: { slug: "acme" },
      answer: {
        client: { slug: "acme", name: "Acme Corporation", environment: "production" },
        user_id: IDS.clientUser,
        users: [{ id: IDS.clientUser, email: clientUser.email, role: "ADMIN" }],
        tokens: [own],
      },
    },
    createConsoleToken: {
      description:
        "Creates a service token for you or, if you are an ADMIN, for another user of the client, who receives a mail. Choose the ID: a repeated request creates nothing. The secret is in this response only.",
      params: ofToken,
      body: { name: "Laptop", role: "BASE_USER", days: 90 },
      answer: { ...createdToken, created_by: clientUser.email },
      errors: {
        conflict:
          "The role is above the user's, the ID or name is in use, or the client has the maximum of tokens. Or: the client is being deleted.",
      },
    },
    revokeConsoleToken: {
      description:
        "Revokes a service token of yours or, if you are an ADMIN, of any user of the client, who receives a mail. Its open connections end within seconds.",
      params: ofToken,
    },
  },
);
