import type { referenceRoutes } from "#workers/contracts/api/reference.ts";
import type { Handlers } from "../../http/serve.ts";
import { openApiDocument } from "./document.ts";
import { ReferencePage } from "./page.tsx";

export const referenceHandlers: Handlers<typeof referenceRoutes> = {
  async getOpenApi() {
    return openApiDocument();
  },

  async getReference({ caller, nonce, request }) {
    const { name, email } = await caller;
    const page = <ReferencePage nonce={nonce} caller={name || email} origin={new URL(request.url).origin} />;
    return new Response(String(await page), { headers: { "content-type": "text/html; charset=utf-8" } });
  },
};
