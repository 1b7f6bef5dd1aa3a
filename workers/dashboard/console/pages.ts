/** The pages of the console, in the order of their links. Each names its callers, whom the route checks before it loads. */

import { egressPage } from "./egress/page.tsx";
import { inboxPage } from "./inbox/page.tsx";
import type { ConsolePage } from "./page.ts";
import { providerKeysPage } from "./provider-keys/page.tsx";
import { tokensPage } from "./tokens/page.tsx";

export const consolePages: readonly ConsolePage[] = [tokensPage, inboxPage, providerKeysPage, egressPage];
