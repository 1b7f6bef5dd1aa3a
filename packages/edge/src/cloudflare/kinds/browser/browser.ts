import { bindingType } from "../../binding.ts";
import type { Kind } from "../../kind.ts";

export const browser: Kind = { bindings: { browser: bindingType({}, {}) } };
