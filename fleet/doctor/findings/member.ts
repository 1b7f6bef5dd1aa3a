/** Users in an Access group but not in the database, or the reverse. */
import type { Conclusion, Evidence, Finding } from "../evidence.ts";
import type { GroupMembers } from "../members.ts";

export function memberDifferences({ members, rows }: Evidence): Conclusion[] {
  const about = "member";
  if ("fault" in members) return [{ about, fault: members.fault }];
  // The members of a tenant with a job are set when the job ends.
  const changing = new Set("fault" in rows ? [] : rows.found.jobs.map(({ slug }) => slug));
  const findings = members.found
    .filter(({ tenant }) => tenant === null || !changing.has(tenant))
    .flatMap((members) => [...unknownMembers(members), ...missingMembers(members)]);
  return [{ about, findings }];
}

const finding = ({ group, tenant }: GroupMembers, email: string, why: string, remedy: string): Finding => ({
  ...{ what: "user", name: email, identity: `${group}/${email}`, tenant, why, remedy },
});

const userListOf = ({ tenant }: GroupMembers) => (tenant === null ? "the dashboard's users" : `the users of ${tenant}`);

function unknownMembers(members: GroupMembers): Finding[] {
  const { group, inGroup, inDatabase } = members;
  const why = `the Access group '${group}' has this member, and the database does not`;
  const remedy = `to keep the user, add or invite the user to ${userListOf(members)} in the dashboard; otherwise the automation service removes the member within 15 minutes`;
  return inGroup.filter((email) => !inDatabase.includes(email)).map((email) => finding(members, email, why, remedy));
}

function missingMembers(members: GroupMembers): Finding[] {
  const { group, inGroup, included, inDatabase } = members;
  const why = `the database has this user, and the Access group '${group}' does not`;
  const remedy = `to keep the user out, remove the user from ${userListOf(members)} in the dashboard before the automation service runs; otherwise it adds the member within 15 minutes`;
  return inDatabase
    .filter((email) => !inGroup.includes(email) && !included.includes(email))
    .map((email) => finding(members, email, why, remedy));
}
