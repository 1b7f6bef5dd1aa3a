/** Why doors refuse requests, for their owners. The sender gets `webhook_not_accepted` for every reason. */
import { defineErrors } from "../catalogue.ts";

export const doorRefusalErrors = defineErrors({
  refused_body_incomplete: {
    message: "The body ended early.",
    remedy: "Check the sender and the proxies between.",
  },
  refused_body_slow: {
    message: "The body did not arrive within the service's time limit.",
    remedy: "Check the sender and the proxies between.",
  },
  refused_event_unknown: {
    message: "The signature is right, but the body is not an event of this service in UTF-8.",
    remedy:
      "Send the service's own body, uncompressed. For other bodies, create a door of the kind `hmac` or `bearer`.",
  },
  refused_method: {
    message: "The method is not one that the service uses.",
    remedy: "Send POST requests, as the service documents.",
  },
  refused_path: {
    message: "The path after the door's address is unknown.",
    remedy: "Enter the address at the service exactly as it was shown.",
  },
  refused_reason_unknown: {
    message: "The reason is `{reason}`.",
    remedy: "Read the log of the dispatch Worker.",
  },
  refused_signature_missing: {
    message: "The request had no signature or token.",
    remedy: "Enter the door's secret at the service.",
  },
  refused_signature_wrong: {
    message: "The signature or token is wrong.",
    remedy:
      "Compare the secret at the service with the door's, or rotate it. A proxy that changes the body breaks the signature too.",
  },
  refused_size: {
    message: "The request is larger than the service's kind allows.",
    remedy: "Send smaller requests, such as with a link instead of content.",
  },
  refused_time: {
    message: "The signature's time is too far from the present.",
    remedy: "Correct the sender's clock. A request that is sent again must be signed again.",
  },
});
