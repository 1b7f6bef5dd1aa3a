/** The frame of every page: no script, one style sheet, light and dark. */

import { raw } from "hono/html";
import type { PropsWithChildren } from "hono/jsx";
import { STYLES } from "./styles.ts";

/** @param props.nonce admits the style sheet past the content security policy */
export function Layout(props: PropsWithChildren<{ title: string; nonce: string; caller?: string }>) {
  return (
    <>
      {raw("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{props.title}</title>
          <style nonce={props.nonce}>{raw(STYLES)}</style>
        </head>
        <body>
          <header>
            <a class="brand" href="/">
              Tenantry
            </a>
            {props.caller === undefined ? null : <span class="caller">{props.caller}</span>}
          </header>
          <main>{props.children}</main>
        </body>
      </html>
    </>
  );
}
