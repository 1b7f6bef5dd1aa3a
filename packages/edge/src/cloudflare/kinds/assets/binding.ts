import { assetsBinding as bound } from "#runtime/assets/services.ts";
import { bindingType } from "../../binding.ts";

export const assetsBinding = bindingType(
  {},
  {
    // The code is not Cloudflare's.
    missing: ({ name }, _store, { assets }) =>
      assets === undefined ? [10021, `Binding '${name}' refers to assets, but the upload has none.`] : undefined,
    connect: ({ name }, script) =>
      script.assets === undefined ? { unavailable: "the script has no assets" } : { files: bound(name, script.name) },
  },
);
