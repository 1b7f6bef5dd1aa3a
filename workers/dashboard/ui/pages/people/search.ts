import * as z from "zod";

export const userKinds = ["dashboard", "person"] as const;

export const peopleSearch = z.object({
  search: z.string().max(100).optional().catch(undefined),
  kind: z.enum(userKinds).optional().catch(undefined),
  partner: z.uuid().optional().catch(undefined),
  user: z.uuid().optional().catch(undefined),
});
export type PeopleSearch = z.infer<typeof peopleSearch>;
