import { raw } from "hono/html";
import type { PropsWithChildren } from "hono/jsx";

/** HTML document. Styles and script are inserted unescaped and must be trusted; `nonce` allows them in the security policy. */
export function Document(
  props: PropsWithChildren<{ title: string; styles: string; nonce: string; script?: string | undefined }>,
) {
  return (
    <>
      {raw("<!doctype html>")}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{props.title}</title>
          <style nonce={props.nonce}>{raw(props.styles)}</style>
        </head>
        <body>
          {props.children}
          {props.script === undefined ? null : <script nonce={props.nonce}>{raw(props.script)}</script>}
        </body>
      </html>
    </>
  );
}
