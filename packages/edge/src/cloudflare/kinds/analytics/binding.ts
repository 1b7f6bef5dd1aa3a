import * as z from "zod";
import { DATASET_HEADER } from "#http/internal-headers.ts";
import { bindingType } from "../../binding.ts";

export const analyticsBinding = bindingType(
  { dataset: z.string().min(1) },
  {
    connect({ name, dataset }, _script, { hub }) {
      const headers = [{ name: DATASET_HEADER, value: encodeURIComponent(dataset) }];
      return { native: { type: "analyticsEngine", name, options: { address: `unix:${hub}`, headers } } };
    },
  },
);
