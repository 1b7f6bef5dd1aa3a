import { lenient, missing, type StandIn } from "@tenantry/std/difference";

export const postgrestDifferences: StandIn = {
  title: "PostgREST",
  differs: [
    missing("Functions of the schema `api` only: no tables, views, filters or `select`."),
    missing("Tokens are HS256. A token cannot name a superuser or a role that can create roles."),
    missing("A body has at most 1 MB, and a call takes at most 8 s."),
    lenient(
      "A new function is callable at once, without a reload of the schema cache.",
      "Supabase reloads its schema cache after each migration by an event trigger.",
    ),
  ],
};
