/** The frame of a page that is long to read, in the platform's own look: no script, light and dark. */
import type { PropsWithChildren } from "hono/jsx";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { Document } from "#workers/shared/page/document.tsx";
import { colourSheet } from "#workers/shared/page/styles.ts";
import { STYLES } from "./styles.ts";

const SHEET = colourSheet(PLATFORM_BRAND) + STYLES;

/** @param props.nonce admits the style sheet past the content security policy */
export function Layout(props: PropsWithChildren<{ title: string; nonce: string; caller: string }>) {
  return (
    <Document title={props.title} styles={SHEET} nonce={props.nonce}>
      <header>
        <a class="brand" href="/">
          {PLATFORM_BRAND.name}
        </a>
        <span class="caller">{props.caller}</span>
      </header>
      <main>{props.children}</main>
    </Document>
  );
}
