import * as z from "zod";
import { bindingType } from "../../binding.ts";

export const r2Binding = bindingType(
  { bucket_name: z.string().min(1) },
  {
    missing: ({ bucket_name: bucket }, store) =>
      store.get("bucket", bucket) === undefined
        ? [10085, `R2 bucket '${bucket}' not found. Please use a different name and try again.`]
        : undefined,
    connect: ({ name, bucket_name: bucket }, _script, { storage }) => ({
      native: storage.binding("r2Bucket", name, bucket),
    }),
  },
);
