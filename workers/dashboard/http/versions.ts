/** Entity tags: the version of an entity (RFC 9110, 8.8.3 and 13.1.1). */
import { requestErrors } from "#domain/errors/api/requests.ts";
import { failure } from "./failure.tsx";

export const entityTag = (version: number): string => `"${version}"`;

/** Returns the versions in an `If-Match` header; `undefined` for any. @throws Failure `invalid_request` */
export function expectedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  return ifMatch.split(",").map((tag) => {
    const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(tag.trim()) ?? [];
    if (version === undefined) throw failure(requestErrors.if_match_invalid);
    return Number(version);
  });
}
