/** The tickets of this process. The identity guard replaces their key. */
import { Tickets } from "../tickets.mjs";

export const tickets = new Tickets(process.env);
