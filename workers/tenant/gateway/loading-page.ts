/** What a person sees while the gateway starts: follows the health stream and goes in when the gateway runs. */

const SCRIPT = `
const text = document.getElementById("state");
const words = { stopped: "Waking up", starting: "Starting", running: "Ready" };
let done = false;
function show(snapshot) {
  if (done) return;
  text.textContent = words[snapshot.status] ?? "Starting";
  document.getElementById("detail").textContent = snapshot.readiness.error ?? "";
  if (snapshot.status === "running") { done = true; location.replace(location.href); }
}
async function poll() {
  while (!done) {
    try { show(await (await fetch("/api/health", { cache: "no-store" })).json()); } catch {}
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}
let polling = false;
function fallBack() { if (!polling) { polling = true; poll(); } }
try {
  const socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/api/health/ws");
  socket.onmessage = (event) => show(JSON.parse(event.data));
  socket.onclose = fallBack;
  socket.onerror = fallBack;
} catch { fallBack(); }
// The stream speaks every five seconds; once the start is under way this asks sooner.
setTimeout(fallBack, 1000);
`;

const STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-content: center; text-align: center; gap: .5rem; }
h1 { font-size: 1.25rem; font-weight: 600; margin: 0; }
p { margin: 0; opacity: .7; max-width: 40ch; }
.bar { width: 12rem; height: 4px; margin: 0 auto 1rem; border-radius: 2px; overflow: hidden; background: #8884; }
.bar::after { content: ""; display: block; width: 40%; height: 100%; background: currentColor; animation: slide 1.2s ease-in-out infinite alternate; }
@keyframes slide { from { transform: translateX(0); } to { transform: translateX(150%); } }
`;

/** A 503 page; `headOnly` leaves the body out. */
export function loadingPage(headOnly: boolean): Response {
  const nonce = crypto.randomUUID();
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Starting your gateway</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<div class="bar"></div>
<h1 id="state" role="status">Starting</h1>
<p id="detail"></p>
<noscript><p>Reload this page in a few seconds.</p></noscript>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
  return new Response(headOnly ? null : html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "2",
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'self'`,
    },
  });
}
