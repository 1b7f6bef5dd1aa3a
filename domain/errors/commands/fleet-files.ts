import { defineErrors } from "../catalogue.ts";

export const fleetFileErrors = defineErrors({
  git_ref_invalid: { message: "{ref} is not a commit.", remedy: "Name a branch, a tag or a commit." },
  git_base_not_found: {
    message: "Git finds no common commit of {ref} and HEAD.",
    remedy: "Fetch the whole history, and name a branch, a tag or a commit.",
  },
  stack_file_without_config: {
    message: '{file} is not a stack\'s file: it has no mapping "config".',
    remedy: "Restore the file from Git, or name the file of a stack.",
  },
  stack_file_not_yaml: {
    message: "{file} is not valid YAML: {fault}",
    remedy: "Correct the file at that position.",
  },
  stack_file_not_found: { message: "{file} does not exist.", remedy: "Check the stack's name and --tenants." },
  stack_file_unchanged: {
    message: "{file} did not change since {since}.",
    remedy: "Omit the stack, or omit --since.",
  },
  deleted_tenant_declared_elsewhere: {
    message:
      "{file} was deleted, but other files declare its tenants: {tenants}. A deployment would destroy and recreate them.",
    remedy:
      "Restore the file, delete the other declarations, and move each tenant: npm run fleet -- move SLUG --to STACK",
  },
  prices_file_invalid: {
    message: "Failed to read the prices in {file}.",
    remedy: "Save the response of the dashboard's GET /prices in it.",
  },
});
