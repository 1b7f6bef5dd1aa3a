/** Doors: public webhook endpoints of tenants, `https://hooks.{domain}/{key}`. */

export const doorStates = ["active", "disabled"] as const;
export type DoorState = (typeof doorStates)[number];
