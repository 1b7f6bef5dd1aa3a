import type * as pulumi from "@pulumi/pulumi";

/** A binding without a secret, as in the multipart metadata of Cloudflare's Workers API, in camelCase. Previews show its values. */
export type ScriptBinding =
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
  | {
      type: "service";
      service: pulumi.Input<string>;
      /** Named entrypoint of the service. Default: its default export. */
      entrypoint?: pulumi.Input<string>;
    }
  | { type: "version_metadata" };
