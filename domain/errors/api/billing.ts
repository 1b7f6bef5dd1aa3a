/** Errors of credit and invoices. */
import { defineErrors } from "../catalogue.ts";

export const billingErrors = defineErrors({
  client_has_no_credit: {
    code: "conflict",
    message: "The client has no credit.",
    remedy: "Top it up first.",
  },
  credit_reference_taken: {
    code: "conflict",
    message: "{reference} is already booked with another amount or kind.",
    remedy: "Choose another reference.",
  },
  invoice_not_found: {
    code: "not_found",
    message: "Invoice not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
});
