/** What tenants may run, by the API: the catalogue of images, and of the tenants' Worker. */
import * as z from "zod";
import { image, workerBundle } from "#domain/entities/image.ts";
import { ROOT_ONLY, route, routes } from "../route.ts";

const byId = z.object({ id: z.uuid() });
/** As images tell it themselves. */
const label = image.shape.gateway.regex(/^[A-Za-z0-9][A-Za-z0-9@._+/-]{0,79}$/, "is no gateway's name or version");
const note = image.shape.note.trim().max(500);

export type Image = z.infer<typeof image>;
export type WorkerBundle = z.infer<typeof workerBundle>;

/** What is left out stays. */
const change = {
  withdrawn: z.boolean().optional(),
  /** `false` leaves new tenants with the platform's image, or the service's own Worker. */
  default: z.boolean().optional(),
};

export const imageRoutes = routes("versions", {
  listImages: route("get", "/images", {
    summary: "List the images that tenants may run, newest first",
    callers: ROOT_ONLY,
    answer: z.object({ data: z.array(image) }),
  }),
  addImage: route("post", "/images", {
    summary: "Add an image to the catalogue, by its digest",
    callers: ROOT_ONLY,
    body: z.strictObject({
      reference: image.shape.reference
        .trim()
        .max(500)
        .regex(
          /^[^\s@]+@sha256:[0-9a-f]{64}$/,
          "names no digest: use name@sha256:…, since a tag may mean another image tomorrow",
        ),
      gateway: label.default("openclaw"),
      /** As the image itself tells it: a tenant that reports another has not got it. */
      gateway_version: label,
      note: note.default(""),
    }),
    answer: image,
    status: 201,
    refusals: ["conflict"],
  }),
  updateImage: route("put", "/images/:id", {
    summary: "Change an image's note, withdraw it, or make it what new tenants get",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject({ note: note.optional(), ...change }),
    answer: image,
    refusals: ["conflict"],
    versioned: true,
  }),
  listWorkerBundles: route("get", "/worker-bundles", {
    summary: "List the Workers that tenants may run, newest first: each release of the automation service brings one",
    callers: ROOT_ONLY,
    answer: z.object({ data: z.array(workerBundle) }),
  }),
  updateWorkerBundle: route("put", "/worker-bundles/:id", {
    summary: "Withdraw a Worker, or make it what new tenants get",
    callers: ROOT_ONLY,
    params: byId,
    body: z.strictObject(change),
    answer: workerBundle,
    refusals: ["conflict"],
    versioned: true,
  }),
});
