import { type Erasure, findErasure, listErasures } from "#database/tenants/deletion/erasures.ts";
import { certificateLines, certificateOf } from "#domain/erasures/certificate.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import type { erasureRoutes } from "#workers/contracts/api/tenants/erasures.ts";
import { pageOf } from "../../http/cursors.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";

export const erasureHandlers: Handlers<typeof erasureRoutes> = {
  async listErasures({ db, settings, query }) {
    const body = (erasure: Erasure) => {
      const { id, client, requested_by, requested_at, erased_at } = certificateOf(erasure, settings.PLATFORM_DOMAIN);
      return { id, client, requested_by, requested_at, erased_at };
    };
    return pageOf(query, (page) => listErasures(db, settings.ENVIRONMENT, page), {
      body,
      placeOf: ({ requested_text, id }) => [requested_text, id],
    });
  },

  async getErasure({ db, settings, params }) {
    const found = await findErasure(db, { id: params.erasure_id });
    const erasure = requireFound(found, clientErrors.erasure_not_found);
    const certificate = certificateOf(erasure, settings.PLATFORM_DOMAIN);
    return { ...certificate, text: `${certificateLines(certificate).join("\n")}\n` };
  },
};
