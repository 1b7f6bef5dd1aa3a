import type { ChangeOrigin } from "#database/console/person.ts";

/** Returns where a change comes from, for the audit log. */
export const originOf = ({ headers }: Request): ChangeOrigin => ({
  source: headers.get("cf-connecting-ip") ?? "",
  requestId: headers.get("cf-ray") ?? crypto.randomUUID(),
});
