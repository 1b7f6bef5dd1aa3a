/** Entity tags: the version of an entity (RFC 9110, 8.8.3 and 13.1.1). */
import { Failure } from "./failure.tsx";

export const entityTag = (version: number): string => `"${version}"`;

/** Returns the versions in an `If-Match` header; `undefined` for any. @throws Failure `invalid_request` */
export function expectedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  return ifMatch.split(",").map((tag) => {
    const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(tag.trim()) ?? [];
    if (version === undefined) throw new Failure("invalid_request", "If-Match must have the ETag of a response.");
    return Number(version);
  });
}

/** @throws Failure `precondition_failed` for another version */
export function requireVersion(expected: readonly number[] | undefined, version: number): void {
  if (expected === undefined || expected.includes(version)) return;
  throw new Failure(
    "precondition_failed",
    "The entity was changed since you read it. Read it again, then repeat your change.",
    {
      version,
    },
  );
}
