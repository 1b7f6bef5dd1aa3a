import { sessionRoutes } from "#workers/contracts/api/people/session.ts";
import { DOMAIN, IDS, ROOT_EMAIL } from "../examples.ts";
import { section } from "../section.ts";

export const sessionSection = section(
  sessionRoutes,
  "Session",
  "The caller as the API identifies it. Start here to check a token.",
  {
    getSession: {
      description:
        "Returns the user of the token with its role and partner, and the platform's environment, domain and version.",
      answer: {
        user: { id: IDS.root, email: ROOT_EMAIL, name: "Rita Root", role: "ROOT" },
        partner: null,
        tenant: null,
        environment: "production",
        version: "0.2.0",
        platform_domain: DOMAIN,
        notice: null,
      },
    },
  },
);
