/** What all pages of the console share: branding, links to the other pages, messages, styles and script. */
import type { Child } from "hono/jsx";
import { CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import type { TenantRole } from "#workers/contracts/api/route.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import { Frame } from "#workers/shared/page/frame.tsx";
import type { TenantUser } from "../identity/tenant-user.ts";
import { consoleScript } from "./script.ts";
import { SHEET } from "./styles.ts";

export interface PageLink {
  /** Last part of the page's path; empty for the first page. */
  path: string;
  label: string;
  callers: readonly TenantRole[];
}

export interface PageContent {
  title: string;
  body: Child;
  /** Styles and script of this page alone. Default: none. */
  styles?: string;
  script?: string;
}

interface ConsoleFrameProps extends PageContent {
  person: TenantUser;
  /** Those that the user may open. */
  links: readonly PageLink[];
  current: PageLink;
  brand: Brand;
  nonce: string;
}

export function ConsoleFrame({ person, links, current, brand, nonce, ...content }: ConsoleFrameProps) {
  const { title, body, styles = "", script = "" } = content;
  const api = `${CONSOLE_PATH}/${person.slug}`;
  const navigation =
    links.length < 2 ? undefined : (
      <nav class="pages" aria-label="Console">
        {links.map((link) => (
          <a href={`${api}/${link.path}`} aria-current={link === current ? "page" : undefined}>
            {link.label}
          </a>
        ))}
      </nav>
    );
  return (
    <Frame
      {...{ title, brand, nonce, navigation }}
      tone="info"
      icon="locked"
      styles={SHEET + styles}
      script={consoleScript(script)}
    >
      <div data-api={api}>
        <h1>{title}</h1>
        <p class="done" id="done" role="status" tabindex={-1} hidden />
        <p class="fault" id="fault" role="alert" tabindex={-1} hidden />
        {body}
      </div>
    </Frame>
  );
}
