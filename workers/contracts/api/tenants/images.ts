/** The catalogue of images and tenant Workers in the API. */
import * as z from "zod";
import { image, otherWorkers, workerBundle } from "#domain/entities/image.ts";
import { ROOT_ONLY, route, routes } from "../route.ts";

const byId = z.object({ id: z.uuid() });
/** As images report it. */
const label = image.shape.gateway.regex(
  /^[A-Za-z0-9][A-Za-z0-9@._+/-]{0,79}$/,
  "must be the name or version of a gateway, such as 2026.9.6",
);
const note = image.shape.note.trim().max(500);
/** The maximum of the release notes is the database's. */
const texts = { note, release_notes: image.shape.release_notes.trim().max(20_000) };
const newTexts = { note: texts.note.default(""), release_notes: texts.release_notes.default("") };
const changedTexts = { note: texts.note.optional(), release_notes: texts.release_notes.optional() };

export type Image = z.infer<typeof image>;
export type WorkerBundle = z.infer<typeof workerBundle>;
export type OtherWorkers = z.infer<typeof otherWorkers>;

/** Omitted fields keep their values. */
const change = {
  withdrawn: z.boolean().optional(),
  /** With `false`, new tenants get the platform's image, or the automation service's own Worker. */
  default: z.boolean().optional(),
};

export const imageRoutes = routes("versions", {
  listImages: route("get", "/images", {
    summary: "List images",
    callers: ROOT_ONLY,
    answer: z.object({ data: z.array(image) }),
  }),
  addImage: route("post", "/images", {
    summary: "Add an image",
    callers: ROOT_ONLY,
    body: z.strictObject({
      reference: image.shape.reference
        .trim()
        .max(500)
        .regex(/^[^\s@]+@sha256:[0-9a-f]{64}$/, "must name a digest, as name@sha256:…, because a tag can change"),
      gateway: label.default("openclaw"),
      /** As the image reports it; a tenant that reports another version does not run the image. */
      gateway_version: label,
      ...newTexts,
    }),
    answer: image,
    status: 201,
    refusals: ["conflict"],
  }),
  updateImage: route("put", "/images/:id", {
    summary: "Update an image",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({ ...changedTexts, ...change }),
    answer: image,
    refusals: ["conflict"],
    versioned: true,
  }),
  listWorkerBundles: route("get", "/worker-bundles", {
    summary: "List Workers",
    callers: ROOT_ONLY,
    answer: z.object({ data: z.array(workerBundle), others: z.array(otherWorkers) }),
  }),
  updateWorkerBundle: route("put", "/worker-bundles/:id", {
    summary: "Update a Worker",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject(change),
    answer: workerBundle,
    refusals: ["conflict"],
    versioned: true,
  }),
});
