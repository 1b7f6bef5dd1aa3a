/** A page that says what happened and what to do next. */
import type { Child } from "hono/jsx";
import { Frame, type FrameProps } from "./frame.tsx";

export interface MessageProps extends FrameProps {
  lead: Child;
  next: readonly Child[];
  actions?: Child;
}

export function MessagePage({ lead, next, actions, ...frame }: MessageProps) {
  return (
    <Frame {...frame}>
      <h1>{frame.title}</h1>
      <p>{lead}</p>
      <h2>What to do</h2>
      <ul class="next">
        {next.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
      {actions === undefined ? null : <div class="row">{actions}</div>}
    </Frame>
  );
}
