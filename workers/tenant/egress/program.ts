const PRODUCT = /^[A-Za-z0-9._-]{1,40}/;

/** Returns the product of a `User-Agent`, as the program states it; null without one. */
export const programOf = (headers: Headers): string | null =>
  PRODUCT.exec(headers.get("user-agent") ?? "")?.[0] ?? null;
