import { Link } from "@tanstack/react-router";
import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { formatNumber } from "../../kit/format.ts";
import { Card, Facts, fact } from "../../kit/layout/card.tsx";
import { Ago } from "../../kit/time.tsx";

export function PartnerCard({ partner }: { partner: Partner }) {
  const { id, slug, clients, managed_by, declared_in, created_at, updated_at } = partner;
  return (
    <Card>
      <div className="grid gap-x-6 gap-y-2 md:grid-cols-2">
        <Facts
          facts={[
            fact("Slug", slug),
            fact(
              "Clients",
              <Link to="/clients" search={{ partner: id }} className="text-accent">
                {formatNumber(clients)}
              </Link>,
            ),
          ]}
        />
        <Facts facts={[fact("Created", <Ago at={created_at} />), fact("Updated", <Ago at={updated_at} />)]} />
      </div>
      {managed_by === "git" ? (
        <p className="mt-3 text-quiet">
          Managed in Git: to rename or remove the partner, change {declared_in ?? "the stack's settings file"} and
          deploy the stack. Change its branding here.
        </p>
      ) : null}
    </Card>
  );
}
