import type { Brand } from "#workers/contracts/brand.ts";

/** Access's page, which ends the login on all its hosts. */
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

/** @param props.to address. Default: the page's own */
export function RetryLink({ label = "Try again", to = HERE }: { label?: string; to?: string | undefined }) {
  return (
    <a class="button primary" href={to}>
      {label}
    </a>
  );
}

export function Support({ address }: { address: string }) {
  return <a href={`mailto:${address}`}>{address}</a>;
}

/** The contact for questions: the brand's support, else `otherwise`. */
export function Contact({ brand, otherwise }: { brand: Brand; otherwise: string }) {
  if (brand.support === undefined) return <>{otherwise}</>;
  return (
    <>
      {brand.name} (<Support address={brand.support} />)
    </>
  );
}
