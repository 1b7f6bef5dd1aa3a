import { lenient, missing, type StandIn } from "@tenantry/std/difference";

export const accessDifferences: StandIn = {
  title: "Access login",
  differs: [
    lenient(
      "A login needs an email address only: no one-time PIN and no identity provider.",
      "The machine has one user, who tries every address.",
    ),
    lenient(
      "A logout clears the cookie; the token stays valid until it expires.",
      "Workers verify tokens by the keys, without a call of Access.",
    ),
    missing("No session for the whole team: each application asks for the address."),
    missing(
      "Policies know the rules `email`, `email_domain`, `email_list`, `group`, `everyone`, `service_token` and `any_valid_service_token`. Any other rule never includes a user, never satisfies a requirement, and always excludes.",
    ),
  ],
};
