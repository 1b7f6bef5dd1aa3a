import type { PropsWithChildren } from "hono/jsx";
import { PLATFORM_BRAND } from "#workers/contracts/brand.ts";
import { Document } from "#workers/shared/page/document.tsx";
import { colourSheet } from "#workers/shared/page/styles.ts";
import { STYLES } from "./styles.ts";

const SHEET = colourSheet(PLATFORM_BRAND) + STYLES;

/** The frame of a document page. @param props.nonce of the style sheet in the content security policy */
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
