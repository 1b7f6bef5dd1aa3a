import { lenient, missing, type StandIn } from "@tenantry/std/difference";

export const mailDifferences: StandIn = {
  title: "Mail server",
  differs: [
    lenient(
      "Every message is accepted: without TLS, authentication, a verified sender or a quota.",
      "The server listens on 127.0.0.1 and sends nothing on.",
    ),
    missing("A message has at most 5 MB, and the last 500 are stored."),
  ],
};
