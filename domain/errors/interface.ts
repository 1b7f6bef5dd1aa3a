/** Errors that the dashboard's pages state themselves, without a response of the API. */
import { defineErrors } from "./catalogue.ts";

export const interfaceErrors = defineErrors({
  dashboard_not_reachable: {
    message: "Cannot reach the dashboard.",
    remedy: "Check your connection, then try again.",
  },
  dashboard_response_late: {
    message: "The dashboard did not respond in time.",
    remedy: "Try again.",
  },
  dashboard_status_without_error: {
    message: "The dashboard returned status {status} without a reason.",
    remedy: "Try again. If this persists, contact the platform operator.",
  },
  page_outdated: {
    message: "The dashboard was updated since this page loaded.",
    remedy: "Reload the page.",
  },
  page_part_not_loaded: {
    message: "Failed to load part of this page: the dashboard was updated or is unreachable.",
    remedy: "Try again. Your entries are kept.",
  },
  page_session_expired: {
    message: "Your session has expired.",
    remedy: "Log in again. Your entries are kept.",
  },
});
