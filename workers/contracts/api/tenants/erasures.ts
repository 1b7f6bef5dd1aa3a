/** Certificates of erasures in the API. They remain when the client is deleted. */
import * as z from "zod";
import { erasureCertificate } from "#domain/erasures/certificate.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { BOTH_ROOTS, route, routes } from "../route.ts";

const listedErasure = erasureCertificate.pick({
  id: true,
  client: true,
  requested_by: true,
  requested_at: true,
  erased_at: true,
});

export const erasureRoutes = routes("erasures", {
  listErasures: route("get", "/erasures", {
    summary: "List erasures",
    callers: BOTH_ROOTS,
    query: pageQuery,
    answer: pageOf(listedErasure),
  }),
  getErasure: route("get", "/erasures/:erasure_id", {
    summary: "Get the certificate of an erasure",
    callers: BOTH_ROOTS,
    params: z.object({ erasure_id: z.uuid() }),
    answer: erasureCertificate.extend({
      /** The certificate for people. */
      text: z.string(),
    }),
  }),
});
