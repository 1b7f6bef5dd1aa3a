export class Tickets {
  constructor(environment: Readonly<Record<string, string | undefined>>);
  claimsOf(ticket: string): { sub: string; role: string; aud: string; exp: number } | undefined;
  orderOf(order: string): Readonly<Record<string, unknown>> | undefined;
  replaceKey(order: string): { TICKET_KEY: string; FORMER_TICKET_KEY: string } | undefined;
}
