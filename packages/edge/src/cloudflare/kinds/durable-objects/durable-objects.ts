import type { Kind } from "../../kind.ts";
import { durableObjectsApi } from "./api.ts";
import { durableObjectBinding } from "./binding.ts";

export const durableObjects: Kind = {
  api: [durableObjectsApi],
  bindings: { durable_object_namespace: durableObjectBinding },
};
