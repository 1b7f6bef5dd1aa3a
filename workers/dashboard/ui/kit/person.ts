/** Who made a change, as texts name the person. @param person an address, `service` or `operator`; `operator` hides addresses from tenants */
export function personInWords(person: string, viewer: string): string {
  if (person === "service") return "the platform";
  if (person === "operator") return "your operator";
  return person === viewer ? "you" : person;
}
