/** Who reads a page of the tenant Worker's own, as the dispatch Worker tells of them. */
import { type Brand, PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import {
  BRAND_HEADER,
  decodeBrand,
  decodeUser,
  ROLE_HEADER,
  USER_HEADER,
} from "#workers/contracts/platform-headers.ts";
import { role } from "#workers/contracts/roles.ts";

export interface Visitor {
  brand: Brand;
  /** E-mail address; undefined where it is not told. */
  user: string | undefined;
  isAdministrator: boolean;
  /** Name and port that were asked for. */
  host: string;
}

/** What is malformed of the headers is as if it were not there. */
export function visitorOf({ url, headers }: Request): Visitor {
  const is = role.safeParse(headers.get(ROLE_HEADER));
  return {
    brand: decodeBrand(headers.get(BRAND_HEADER) ?? "") ?? PLATFORM_BRAND,
    user: userOf(headers),
    isAdministrator: is.success && is.data !== "BASE_USER",
    host: new URL(url).host,
  };
}

function userOf(headers: Headers): string | undefined {
  try {
    return decodeUser(headers.get(USER_HEADER) ?? "") || undefined;
  } catch {
    return undefined;
  }
}
