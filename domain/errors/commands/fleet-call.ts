/** Errors of `npm run fleet -- call`. */
import { defineErrors } from "../catalogue.ts";

export const fleetCallErrors = defineErrors({
  call_operation_unknown: {
    message: "The API has no operation {operation}.",
    remedy: "Name an operation, such as {examples}. All are in the API's reference, at /reference of the dashboard.",
  },
  call_login_missing: {
    message: "The environment has no login for the API.",
    remedy:
      "Set DASHBOARD and TOKEN for a user of the dashboard, or TENANT_URL, CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET for a service token of a tenant.",
  },
  call_value_invalid: {
    message: "{value} is not NAME=VALUE.",
    remedy: "Write each value of the operation as NAME=VALUE, such as pinned=true.",
  },
  call_value_missing: {
    message: "{operation} requires {name}.",
    remedy: "Add {name}=VALUE, or name the tenant with --tenant SLUG.",
  },
  call_tenant_unknown: {
    message: "Your login has no tenant {slug}.",
    remedy: "Find its slug with npm run fleet -- call listClients search=PART.",
  },
  call_tenant_without_instance: {
    message: "The tenant {slug} has no instance.",
    remedy: "Create one: npm run fleet -- call createInstance client_id={client_id}",
  },
  call_no_response: {
    message: "The API did not answer: {fault}",
    remedy: "Check the address and the network. A change may have taken effect, so read the object before you retry.",
  },
  call_job_failed: {
    message: "The job {id} ended with the status {status}: {cause}",
    remedy: "Correct the fault, then retry it: npm run fleet -- call retryJob id={id}",
  },
});
