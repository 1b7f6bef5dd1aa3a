/** Invalid command lines of `npm run fleet`. `usage` is the command's help. */
import { defineErrors } from "../catalogue.ts";

export const fleetUsageErrors = defineErrors({
  command_missing: { message: "Name a command.", remedy: "Usage:\n\n{usage}" },
  command_unknown: { message: "{name} is not a command.", remedy: "Name one of these commands:\n\n{usage}" },
  command_line_invalid: { message: "{fault}.", remedy: "Correct the command line:\n\n{usage}" },
  option_not_of_command: {
    message: "{command} does not take --{option}; it is for {commands}.",
    remedy: "Omit it, or use another command:\n\n{usage}",
  },
  option_not_of_doctor: {
    message: "{command} does not take --{option}.",
    remedy: "Omit the option:\n\n{usage}",
  },
  option_value_invalid: {
    message: "--{option} must be {rule}, not {value}.",
    remedy: "Set another value:\n\n{usage}",
  },
  destroy_without_since: { message: "--destroy requires --since REF.", remedy: "Add --since:\n\n{usage}" },
  two_report_formats: { message: "Choose one of --json and --markdown.", remedy: "Omit the other:\n\n{usage}" },
  move_target_missing: { message: "move requires --to STACK.", remedy: "Add --to:\n\n{usage}" },
  platform_stack_missing: { message: "{command} requires --stack STACK.", remedy: "Add --stack:\n\n{usage}" },
  finish_with_service: {
    message: "rotate takes --finish or --service, not both.",
    remedy: "Omit one of them:\n\n{usage}",
  },
  operand_missing: {
    message: "{command} takes exactly one {operand}.",
    remedy: "Name it after the command:\n\n{usage}",
  },
  operation_missing: {
    message: "The command call requires an operation.",
    remedy: "Name it after the command:\n\n{usage}",
  },
  operands_too_many: {
    message: "{command} takes at most one {operand}.",
    remedy: "Omit the others:\n\n{usage}",
  },
  operand_unexpected: { message: "{command} takes no operand.", remedy: "Omit the operand:\n\n{usage}" },
  restore_source_ambiguous: {
    message: "restore takes exactly one of FILE, --as-of TIME and --finish.",
    remedy: "Name one of them:\n\n{usage}",
  },
  slug_operand_invalid: { message: "{slug} {fault}.", remedy: "Name the slug of a tenant:\n\n{usage}" },
});
