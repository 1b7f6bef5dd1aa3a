import type { Child, PropsWithChildren } from "hono/jsx";
import type { Brand } from "#workers/contracts/brand.ts";
import { Document } from "./document.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { LogOut, Support } from "./links.tsx";
import { CARD_SHEET, colourSheet } from "./styles.ts";

export interface FrameProps {
  title: string;
  tone: "good" | "info" | "busy" | "bad";
  icon: IconName;
  brand: Brand;
  nonce: string;
  user?: string | undefined;
  styles?: string | undefined;
  script?: string | undefined;
  /** Links to the other pages, above the card. */
  navigation?: Child;
}

export function Frame(props: PropsWithChildren<FrameProps>) {
  const { title, tone, icon, brand, nonce, user, styles = "", script, navigation } = props;
  const sheet = colourSheet(brand) + CARD_SHEET + styles;
  return (
    <Document title={`${title} · ${brand.name}`} styles={sheet} nonce={nonce} script={script}>
      <div class="page">
        <header class="brand">
          {brand.logo === undefined ? (
            <span>{brand.name}</span>
          ) : (
            <span class="plate">
              <img class="logo" src={brand.logo} alt={brand.name} />
            </span>
          )}
        </header>
        {navigation}
        <main>
          <div class={`badge ${tone}`}>
            <Icon name={icon} />
          </div>
          {props.children}
        </main>
        {user === undefined && brand.support === undefined ? null : (
          <footer>
            {user === undefined ? null : (
              <span>
                Logged in as {user} · <LogOut />
              </span>
            )}
            {brand.support === undefined ? null : (
              <span>
                Help: <Support address={brand.support} />
              </span>
            )}
          </footer>
        )}
      </div>
    </Document>
  );
}
