import { deletePartner, insertPartner, updatePartner } from "#database/people/partner-changes.ts";
import { countDependents, listPartners } from "#database/people/partners.ts";
import { partnerErrors } from "#domain/errors/api/partners.ts";
import type { partnerRoutes } from "#workers/contracts/api/people/partners.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { sendPartnerEvent } from "../events.ts";
import { partnerBody } from "./body.ts";
import { domainHandlers } from "./domains.ts";
import { logoHandlers, removeLogo } from "./logo.ts";
import { previewHandlers } from "./preview.tsx";
import { lockPartner, partnerAt } from "./required.ts";
import { styleHandlers } from "./style.ts";

export const partnerHandlers: Handlers<typeof partnerRoutes> = {
  ...styleHandlers,
  ...previewHandlers,
  ...logoHandlers,
  ...domainHandlers,

  async listPartners({ db, settings, query }) {
    return pageOf(query, (page) => listPartners(db, settings.ENVIRONMENT, page), {
      body: partnerBody,
      placeOf: ({ slug, id }) => [slug, id],
    });
  },

  async getPartner({ db, settings, params }) {
    return partnerBody(await partnerAt(db, settings.ENVIRONMENT, params.id));
  },

  async createPartner({ db, settings, body, caller }) {
    const { slug, name = slug } = body;
    const id = await insertPartner(db, { slug, name });
    await sendPartnerEvent(db, { id, slug }, { change: "created", caller });
    return partnerBody(await partnerAt(db, settings.ENVIRONMENT, id));
  },

  async updatePartner({ db, settings, params, body, caller, expected }) {
    const found = await lockPartner(db, settings.ENVIRONMENT, params.id, { expected, caller });
    requireOwn(`The partner ${found.slug}`, found);
    await updatePartner(db, found.id, body);
    await sendPartnerEvent(db, found, { change: "changed", caller });
    return partnerBody(await partnerAt(db, settings.ENVIRONMENT, found.id));
  },

  async deletePartner({ db, settings, env, params, query, caller, expected, runAfterCommit }) {
    const found = await lockPartner(db, settings.ENVIRONMENT, params.id, { expected, caller });
    requireOwn(`The partner ${found.slug}`, found);
    const details = await countDependents(db, found.id);
    const { clients, ...rest } = details;
    if (clients > 0) {
      throw failure(partnerErrors.partner_has_clients, { slug: found.slug }, { details });
    }
    if (query.cascade !== "true" && Object.values(rest).some((count) => count > 0)) {
      throw failure(partnerErrors.partner_has_dependents, { slug: found.slug }, { details });
    }
    await deletePartner(db, found.id);
    await sendPartnerEvent(db, found, { change: "deleted", caller });
    runAfterCommit(() => removeLogo(env, found));
  },
};
