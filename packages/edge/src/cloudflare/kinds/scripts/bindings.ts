import * as z from "zod";
import type { ApiContext } from "../../api/context.ts";
import { ApiError } from "../../api/operations.ts";
import type { BindingTypes } from "../../binding.ts";
import type { ScriptBinding, ScriptRecord } from "./record.ts";

const anyBinding = z.looseObject({ type: z.string().min(1), name: z.string().min(1) });

/** @throws ApiError 400 for an unknown type or invalid field */
export function parseBindings(types: BindingTypes, given: unknown): ScriptBinding[] {
  const outline = z.array(anyBinding).safeParse(given ?? []);
  if (!outline.success) throw new ApiError(400, 10052, "bindings: each must have a type and a name");
  const names = new Set<string>();
  return outline.data.map((binding) => {
    if (names.has(binding.name)) throw new ApiError(400, 10021, `Binding name ${binding.name} is duplicated.`);
    names.add(binding.name);
    const type = Object.hasOwn(types, binding.type) ? types[binding.type] : undefined;
    if (type === undefined) {
      const message = `Binding ${binding.name} has type ${binding.type}, which the local edge does not support.`;
      throw new ApiError(400, 10021, message);
    }
    const parsed = type.fields.safeParse(binding);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ApiError(400, 10021, `Binding ${binding.name}: ${issue?.path.join(".")}: ${issue?.message}`);
    }
    return { ...parsed.data, type: binding.type, name: binding.name };
  });
}

/** Replaces `inherit` bindings with the previous ones, and adds the previous ones whose types are in `keep`. */
export function inheritBindings(given: ScriptBinding[], before: ScriptBinding[], keep: string[]): ScriptBinding[] {
  const taken = given.map((binding) => {
    if (binding.type !== "inherit") return binding;
    const source = before.find((one) => one.name === (binding.old_name ?? binding.name));
    if (source === undefined)
      throw new ApiError(
        400,
        10057,
        `Binding ${binding.name} cannot be inherited: the previous version does not have it.`,
      );
    return { ...source, name: binding.name };
  });
  const kept = before.filter((one) => keep.includes(one.type) && !taken.some((binding) => binding.name === one.name));
  return [...taken, ...kept];
}

/** @throws ApiError 400 when a binding's target does not exist */
export function checkBindings({ bindingTypes, store }: ApiContext, script: ScriptRecord): void {
  for (const binding of script.bindings) {
    const missing = bindingTypes[binding.type]?.missing?.(binding, store, script);
    if (missing !== undefined) throw new ApiError(400, ...missing);
  }
}

/** Returns a binding for responses, without a secret's value. */
export function bindingResult(
  { bindingTypes, store }: Pick<ApiContext, "bindingTypes" | "store">,
  script: ScriptRecord,
  binding: ScriptBinding,
): ScriptBinding {
  return bindingTypes[binding.type]?.answer?.(binding, store, script) ?? binding;
}
