/** The person who reads one of the tenant Worker's own pages, from the dispatch Worker's headers. */
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
  /** E-mail address. */
  user: string | undefined;
  isAdministrator: boolean;
  /** The requested host, with its port. */
  host: string;
}

/** Ignores malformed headers. */
export function visitorOf({ url, headers }: Request): Visitor {
  const userRole = role.safeParse(headers.get(ROLE_HEADER));
  return {
    brand: decodeBrand(headers.get(BRAND_HEADER) ?? "") ?? PLATFORM_BRAND,
    user: userOf(headers),
    isAdministrator: userRole.success && userRole.data !== "BASE_USER",
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
