/** Entity tags: the version of what is changed (RFC 9110, 8.8.3 and 13.1.1). */
import { Failure } from "./failure.tsx";

export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Which versions a change may be made to; undefined for any. @throws Failure `invalid_request` for what is no list of tags */
export function expectedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === "*") return undefined;
  return ifMatch.split(",").map((tag) => {
    const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(tag.trim()) ?? [];
    if (version === undefined)
      throw new Failure("invalid_request", "If-Match holds no tag of ours; send the ETag of an answer.");
    return Number(version);
  });
}

/** @throws Failure `precondition_failed` when what is there is no longer what the caller saw */
export function requireVersion(expected: readonly number[] | undefined, version: number): void {
  if (expected === undefined || expected.includes(version)) return;
  throw new Failure("precondition_failed", "It was changed since you read it; read it again, then change it.", {
    version,
  });
}
