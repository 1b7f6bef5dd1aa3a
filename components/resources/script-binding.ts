import * as pulumi from "@pulumi/pulumi";

/**
 * A binding of a script, as the multipart metadata of Cloudflare's Workers API knows it, in camelCase. The value of a
 * `secret_text` is always kept as a secret.
 */
export type ScriptBinding = { name: pulumi.Input<string> } & (
  | { type: "ai" }
  | { type: "analytics_engine"; dataset: pulumi.Input<string> }
  | { type: "browser" }
  | { type: "dispatch_namespace"; namespace: pulumi.Input<string> }
  | {
      type: "durable_object_namespace";
      className: pulumi.Input<string>;
      /** Script that exports the class. Default: this one. */
      scriptName?: pulumi.Input<string>;
    }
  | { type: "hyperdrive"; id: pulumi.Input<string> }
  | { type: "json"; json: pulumi.Input<string> }
  | { type: "kv_namespace"; namespaceId: pulumi.Input<string> }
  | { type: "plain_text"; text: pulumi.Input<string> }
  | { type: "queue"; queueName: pulumi.Input<string> }
  | { type: "r2_bucket"; bucketName: pulumi.Input<string> }
  | { type: "secret_text"; text: pulumi.Input<string> }
  | {
      type: "service";
      service: pulumi.Input<string>;
      /** Named entrypoint of the service. Default: its default export. */
      entrypoint?: pulumi.Input<string>;
    }
  | { type: "version_metadata" }
);

/** The bindings with every `secret_text` marked secret. */
export function sealSecrets(bindings: readonly ScriptBinding[]): pulumi.Input<ScriptBinding>[] {
  return bindings.map((binding) =>
    binding.type === "secret_text" ? { ...binding, text: pulumi.secret(binding.text) } : binding,
  );
}
