/** Errors of users and invitations. */
import { defineErrors } from "../catalogue.ts";

export const peopleErrors = defineErrors({
  caller_deleted_meanwhile: {
    code: "conflict",
    message: "You were deleted at the same time, and no other user was deleted.",
    remedy: "Ask another platform root.",
  },
  client_has_no_instance_for_user: {
    code: "conflict",
    message: "The client {slug} has no instance.",
    remedy: 'Create it first, or send "instance_ids": [].',
  },
  dashboard_user_cannot_be_linked: {
    code: "conflict",
    message: "{email} is a user of the dashboard.",
    remedy: "Create a person with that address first.",
  },
  dashboard_user_creation_requires_root: {
    code: "forbidden",
    message: "Permission denied: adding users of the dashboard requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  dashboard_user_deletion_requires_root: {
    code: "forbidden",
    message: "Permission denied: deleting users of the dashboard requires the role ROOT.",
    remedy: "Ask a platform root.",
  },
  decision_body_type: {
    code: "unsupported_media_type",
    message: "The body must be a form or JSON.",
    remedy: "Send it with the matching content type.",
  },
  decision_invalid: {
    code: "invalid_request",
    message: "The decision must be accept or reject.",
    remedy: "Correct the fields in the details.",
  },
  invitation_accepted: {
    code: "conflict",
    message: "{email} has accepted the invitation.",
    remedy: "Keep it as it is; the user has access.",
  },
  invitation_not_open: {
    code: "not_found",
    message: "The invitation is not open: it is unknown, answered, withdrawn, replaced or expired.",
    remedy: "Ask the sender for another invitation.",
  },
  invitation_rejected: {
    code: "conflict",
    message: "{email} has rejected the invitation.",
    remedy: "Invite the user again.",
  },
  last_admin: {
    code: "conflict",
    message: "{email} is the only ADMIN of the client {slug}.",
    remedy: "Make another user an ADMIN first, or ask your operator.",
  },
  own_user_not_deletable: {
    code: "conflict",
    message: "You cannot delete yourself.",
    remedy: "Ask another platform root.",
  },
  person_of_other_partner: {
    code: "forbidden",
    message: "Permission denied: adding people to another partner requires the role ROOT.",
    remedy: "Omit partner_id, or ask a platform root.",
  },
  user_already_in_client: {
    code: "conflict",
    message: "{email} is already a user of {slug}.",
    remedy: "Change the role and name of that user.",
  },
  user_already_invited: {
    code: "conflict",
    message: "{email} is already invited to {slug}.",
    remedy: "Resend that invitation.",
  },
  user_and_client_of_different_partners: {
    code: "conflict",
    message: "{email} and {slug} belong to different partners.",
    remedy: "Create a person at the client's partner.",
  },
  user_not_found: {
    code: "not_found",
    message: "User not found.",
    remedy: "Check the ID, and that your role has access to the user.",
  },
  user_without_open_invitation: {
    code: "conflict",
    message: "{email} has no open invitation.",
    remedy: "Remove the user to end the access.",
  },
});
