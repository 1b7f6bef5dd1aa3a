import { useState } from "react";
import { consoleTokenRoutes } from "#workers/contracts/api/console/tokens.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { TokenForm } from "#workers/dashboard/ui/pages/clients/users/tokens/create-token.tsx";

interface CreateOwnTokenProps {
  found: Answer<typeof consoleTokenRoutes.listConsoleTokens>;
  onClose: () => void;
}

export default function CreateOwnToken({ found: { user_id, users }, onClose }: CreateOwnTokenProps) {
  const { slug, name } = useTenant().client;
  // The same for a repeated request, which then creates no second token.
  const [id] = useState(() => crypto.randomUUID());
  const [created, setCreated] = useState<Answer<typeof consoleTokenRoutes.createConsoleToken>>();
  const create = useChange(consoleTokenRoutes.createConsoleToken, { onDone: setCreated });
  return (
    <TokenForm
      draftName={`own-token.${slug}`}
      title={`Create service token for ${name}`}
      about="It lets a program or device reach the agent without a browser. Another user receives a mail about a token in their name."
      users={users}
      initialUser={user_id}
      change={create}
      created={created}
      onClose={onClose}
      onSubmit={(body) => create.mutate({ params: { slug, id }, body })}
    />
  );
}
