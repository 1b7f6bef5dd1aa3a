/** Links that many pages have. */
import type { Brand } from "#workers/contracts/brand.ts";

/** Access's own, at every host that it guards; it ends the log-in at all of them, and says so on a page of its own. */
const LOG_OUT_PATH = "/cdn-cgi/access/logout";
/** The page's own address, with its query. */
const HERE = "";

export function LogOut({ button = false }: { button?: boolean }) {
  return (
    <a class={button ? "button" : undefined} href={LOG_OUT_PATH}>
      Log out
    </a>
  );
}

/** Asks for the same address anew. */
export function Again({ label = "Try again" }: { label?: string }) {
  return (
    <a class="button primary" href={HERE}>
      {label}
    </a>
  );
}

export function Support({ address }: { address: string }) {
  return <a href={`mailto:${address}`}>{address}</a>;
}

/** Whom one asks: the partner by its support address; else who is named. */
export function Asked({ brand, otherwise }: { brand: Brand; otherwise: string }) {
  if (brand.support === undefined) return <>{otherwise}</>;
  return (
    <>
      {brand.name} (<Support address={brand.support} />)
    </>
  );
}
