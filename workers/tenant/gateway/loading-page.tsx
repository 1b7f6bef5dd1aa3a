/** The page for a person while the gateway starts. It shows the progress, and reloads when the gateway runs. */
import { Frame } from "#workers/shared/page/frame.tsx";
import { Contact, RetryLink } from "#workers/shared/page/links.tsx";
import { LOADING_SCRIPT } from "./loading-script.ts";
import { LogLine } from "./log-line.tsx";
import type { Visitor } from "./visitor.ts";

const STYLES = `
.bar { height: 4px; margin-top: 1.4rem; border-radius: 2px; overflow: hidden; background: var(--sunken); }
.bar::after { content: ""; display: block; width: 35%; height: 100%; border-radius: 2px; background: var(--accent); animation: slide 1.3s ease-in-out infinite alternate; }
@keyframes slide { from { transform: translateX(0); } to { transform: translateX(186%); } }
@media (prefers-reduced-motion: reduce) { .bar::after { width: 100%; animation: none; opacity: 0.5; } }
.steps { display: grid; gap: 0.5rem; margin: 1.3rem 0 0; padding: 0; list-style: none; color: var(--quiet); }
.steps li { display: flex; align-items: baseline; gap: 0.65rem; }
.steps li::before { content: ""; flex: none; width: 0.6rem; height: 0.6rem; border: 2px solid var(--line-strong); border-radius: 50%; }
.steps .past::before { border-color: var(--good); background: var(--good); }
.steps .present { color: var(--text); font-weight: 550; }
.steps .present::before { border-color: var(--link); background: var(--link); }
.detail { margin-top: 0.9rem; padding: 0.7rem 0.9rem; border-radius: 0.55rem; background: var(--sunken); font: 0.85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

export function LoadingPage({ brand, user, isAdministrator, host, nonce }: Visitor & { nonce: string }) {
  return (
    <Frame
      title="Starting"
      tone="busy"
      icon="starting"
      brand={brand}
      user={user}
      nonce={nonce}
      styles={STYLES}
      script={LOADING_SCRIPT}
    >
      <h1 id="title">Your gateway is starting</h1>
      <p id="lead">{host} sleeps when nobody uses it. This page opens it when it is ready, usually within a minute.</p>
      <noscript>
        <p>JavaScript is off, so this page cannot update itself. Reload it in a few seconds.</p>
      </noscript>
      <div class="bar" id="bar" />
      <p id="state" class="unseen" role="status">
        Waking up
      </p>
      <ol class="steps" id="steps">
        <li data-step="stopped" id="wake" class="present" aria-current="step">
          Wake up
        </li>
        <li data-step="starting">Start the gateway</li>
        <li data-step="running">Open it</li>
      </ol>
      <p class="detail" id="detail" hidden />
      <div id="advice" hidden>
        <h2>What to do</h2>
        <ul class="next">
          <li>Keep this page open. It opens the gateway when the gateway is ready.</li>
          <li>
            {isAdministrator ? (
              <LogLine />
            ) : (
              <>
                If this continues, contact <Contact brand={brand} otherwise="an administrator of your organization" />.
              </>
            )}
          </li>
        </ul>
        <div class="row">
          <RetryLink label="Reload page" />
        </div>
      </div>
    </Frame>
  );
}
