import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import {
  ACCESS_APPLICATION_URL,
  ACCESS_APPLICATIONS,
  ACCESS_GROUP_RULES,
  ACCESS_GROUPS,
  ACCESS_POLICIES,
} from "../values.ts";

const page = PAGES.access;
/** The code of invalid Access requests, which the edge sends. */
const refused = (text: string) => ({ status: 400, code: 12130, text: `access.api.error.invalid_request: ${text}` });

export const access = {
  accessApplications: {
    of: "Access applications of an account",
    value: ACCESS_APPLICATIONS,
    page,
    beyond: refused("an account has at most {limit} applications"),
  },
  accessGroups: {
    of: "Access groups of an account",
    value: ACCESS_GROUPS,
    page,
    beyond: refused("an account has at most {limit} groups"),
  },
  accessPolicies: {
    of: "Reusable Access policies of an account",
    value: ACCESS_POLICIES,
    page,
    beyond: refused("an account has at most {limit} reusable policies"),
  },
  accessGroupRules: {
    of: "Rules of an Access group",
    value: ACCESS_GROUP_RULES,
    page,
    beyond: refused("a group has at most {limit} rules"),
  },
  accessApplicationRules: {
    of: "Rules of an Access application, in all its policies",
    value: 1_000,
    page,
    beyond: refused("an application has at most {limit} rules"),
  },
  accessApplicationDestinations: {
    of: "Destinations (domains) of an Access application",
    value: 50,
    page,
    beyond: refused("an application has at most {limit} destinations"),
  },
  accessApplicationUrl: {
    of: "URL of an Access application, host and path together",
    value: ACCESS_APPLICATION_URL,
    unit: "characters",
    page,
    beyond: refused("a domain has at most {limit} characters"),
  },
  accessName: {
    of: "Name of an Access application or group",
    value: 350,
    unit: "characters",
    page,
    beyond: refused("a name has at most {limit} characters"),
  },
  accessServiceTokens: {
    of: "Access service tokens of an account",
    value: 50,
    page,
    beyond: refused("an account has at most {limit} service tokens"),
  },
  zeroTrustLists: {
    of: "Zero Trust lists of an account",
    value: 100,
    page,
    beyond: { status: 400, code: 2001, text: "An account has at most {limit} lists" },
  },
  zeroTrustListEntries: {
    of: "Entries of a Zero Trust list",
    value: 1_000,
    otherPlans: { Enterprise: 5_000 },
    page,
    beyond: { status: 400, code: 2001, text: "A list has at most {limit} entries" },
  },
  zeroTrustListRequests: {
    of: "API requests for Zero Trust lists per minute",
    value: 600,
    unit: "requests",
    page,
    beyond: NOT_DOCUMENTED,
  },
} as const satisfies Record<string, Limit>;
