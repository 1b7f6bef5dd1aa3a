/** Errors of the files in a tenant's state directory. */
import { defineErrors } from "../catalogue.ts";

export const fileErrors = defineErrors({
  file_changed: {
    code: "conflict",
    message: "The file was changed since you read it, by the agent or by another person. Nothing was saved.",
    remedy: "Read the file again, and make your change in its present text.",
  },
  file_has_secrets: {
    code: "conflict",
    message: "The file has a secret of the platform, so that it is not saved or downloaded here.",
    remedy: "Download a backup, which has all files.",
  },
  file_is_database: {
    code: "conflict",
    message: "The file is a database. A copy of it alone could be incomplete.",
    remedy: "Download a backup, which has a complete copy.",
  },
  file_is_secret: {
    code: "forbidden",
    message: "The file holds credentials, so that its content is never shown.",
    remedy: "Change the credentials where they were entered.",
  },
  file_not_found: {
    code: "not_found",
    message: "The state has no such file.",
    remedy: "Read the directory again.",
  },
  file_not_regular: {
    code: "conflict",
    message: "The path is a link or a special file, leads through one, or is a directory where a file is expected.",
    remedy: "Choose a file or a directory.",
  },
  file_not_text: {
    code: "conflict",
    message: "The file is not text.",
    remedy: "Download it.",
  },
  file_path_invalid: {
    code: "invalid_request",
    message: "The path is outside the state.",
    remedy: "Send a path relative to the state, without empty parts and dots.",
  },
  file_too_large: {
    code: "payload_too_large",
    message: "The file has more than {bytes} bytes.",
    remedy: "Download a backup, which has all files.",
  },
  files_asleep: {
    code: "conflict",
    message: "The tenant sleeps, so that its files cannot be read.",
    remedy: "Wake the tenant, then try again. The newest backup has its files, too.",
  },
  files_not_in_image: {
    code: "conflict",
    message: "The tenant's image is too old to show files.",
    remedy: "Change the tenant's version to a newer one.",
  },
});
