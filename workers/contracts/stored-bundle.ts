/**
 * A stored Worker bundle of another release, which the stack's program deploys: a directory with {@link BUNDLE_RECORD} and the modules in
 * {@link BUNDLE_MODULES}.
 */
import * as z from "zod";

export const BUNDLE_RECORD = "bundle.json";
export const BUNDLE_MODULES = "modules";

export const bundleRecord = z.object({
  mainModule: z.string().min(1),
  /** Of the modules (`packages/cloudflare-client/src/content.ts`). */
  contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  compatibilityDate: z.iso.date(),
  compatibilityFlags: z.array(z.string()),
});

export const keptBundle = bundleRecord.extend({
  /** Modules by path, in base64. */
  modules: z.record(z.string().regex(/^(?!.*(^|\/)\.)[\w.-]+(\/[\w.-]+)*$/, "is not the path of a module"), z.base64()),
});
export type StoredBundle = z.infer<typeof keptBundle>;
