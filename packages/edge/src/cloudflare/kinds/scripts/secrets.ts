import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import type { ApiContext } from "../../api/context.ts";
import {
  ApiError,
  type ApiPart,
  type Call,
  type Handler,
  readBody,
  successResponse,
  wholeList,
} from "../../api/operations.ts";
import { findScript } from "./lookup.ts";
import type { ScriptBinding } from "./record.ts";
import { saveBindings } from "./upload/changes.ts";

const secret = z.object({
  name: z.string().regex(/^[A-Za-z_][\w.-]*$/, "is not a binding name"),
  text: z.string(),
  type: z.literal("secret_text", "must be secret_text: no other is supported by the local edge").default("secret_text"),
});
const bulk = z.object({ secrets: z.record(z.string(), secret.nullable()).default({}) });
const invalid = 10021;

type ScriptCall = Call<"script_name"> & { params: { dispatch_namespace?: string } };
type SecretCall = Call<"script_name" | "secret_name"> & { params: { dispatch_namespace?: string } };

const isSecret = (binding: ScriptBinding) => binding.type === "secret_text";
const toResult = ({ name }: ScriptBinding) => ({ name, type: "secret_text" });

function secretOperations(context: ApiContext) {
  const { store } = context;
  const put = (bindings: ScriptBinding[], given: ScriptBinding): ScriptBinding[] => {
    const taken = bindings.find((binding) => binding.name === given.name && !isSecret(binding));
    if (taken !== undefined) throw new ApiError(400, 10053, `Binding name '${given.name}' already in use.`);
    return [...bindings.filter((binding) => binding.name !== given.name), given];
  };
  const find = ({ params }: SecretCall): ScriptBinding => {
    const found = findScript(store, params).bindings.find((one) => isSecret(one) && one.name === params.secret_name);
    if (found === undefined) throw new ApiError(404, 10056, `Binding '${params.secret_name}' not found.`);
    return found;
  };
  return {
    put: (call: ScriptCall) => {
      const script = findScript(store, call.params);
      const given = readBody(call, secret, invalid);
      saveBindings(context, script, put(script.bindings, given));
      return successResponse(toResult(given));
    },
    list: ({ params }: ScriptCall) => wholeList(findScript(store, params).bindings.filter(isSecret).map(toResult)),
    get: (call: SecretCall) => successResponse(toResult(find(call))),
    delete: (call: SecretCall) => {
      const { name } = find(call);
      const script = findScript(store, call.params);
      saveBindings(
        context,
        script,
        script.bindings.filter((binding) => binding.name !== name),
      );
      return successResponse(null);
    },
    bulk: (call: ScriptCall) => {
      const script = findScript(store, call.params);
      const { secrets } = readBody(call, bulk, invalid);
      let bindings = script.bindings;
      for (const [name, given] of Object.entries(secrets)) {
        bindings =
          given === null
            ? bindings.filter((binding) => binding.name !== name || !isSecret(binding))
            : put(bindings, { ...given, name });
      }
      const saved = saveBindings(context, script, bindings);
      return successResponse(
        Object.fromEntries(saved.bindings.filter(isSecret).map((one) => [one.name, toResult(one)])),
      );
    },
  };
}

/** @param script path of a script @param sdk its methods in the SDK */
const secretsApi = (title: string, script: string, sdk: string): ApiPart => ({
  title,
  operations: {
    [`PUT ${script}/secrets`]: `${sdk}.secrets.update`,
    [`GET ${script}/secrets`]: `${sdk}.secrets.list`,
    [`GET ${script}/secrets/:secret_name`]: `${sdk}.secrets.get`,
    [`DELETE ${script}/secrets/:secret_name`]: `${sdk}.secrets.delete`,
    [`PATCH ${script}/secrets-bulk`]: `${sdk}.secrets.bulkUpdate`,
  },
  differs: [missing("`secret_text` only.")],
  handlers: (context) => {
    const secrets = secretOperations(context);
    return {
      [`PUT ${script}/secrets`]: secrets.put,
      [`GET ${script}/secrets`]: secrets.list,
      [`GET ${script}/secrets/:secret_name`]: secrets.get,
      [`DELETE ${script}/secrets/:secret_name`]: secrets.delete,
      [`PATCH ${script}/secrets-bulk`]: secrets.bulk,
      // The path names the parameters.
    } as Readonly<Record<string, Handler<string>>>;
  },
});

export const scriptSecretsApi = secretsApi(
  "Secrets of a script",
  "/accounts/:account_id/workers/scripts/:script_name",
  "workers.scripts",
);

export const namespacedScriptSecretsApi = secretsApi(
  "Secrets of a script in a dispatch namespace",
  "/accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name",
  "workersForPlatforms.dispatch.namespaces.scripts",
);
