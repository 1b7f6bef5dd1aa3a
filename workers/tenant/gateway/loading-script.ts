/** The loading page's script: shows the progress of the start, and reloads when the gateway runs. */
import { START_FAILED } from "../health/probes.ts";

/** When the page says that the start takes longer than usual, in milliseconds. */
export const LONG_MS = 60_000;
/** When the page says that the gateway has not started, in milliseconds. It continues to poll. */
export const TOO_LONG_MS = 5 * 60_000;
/** After this time without the page, in milliseconds, the wait counts from zero. */
const APART_MS = 15_000;

export const LOADING_SCRIPT = `
const [LONG, TOO_LONG, APART] = [${LONG_MS}, ${TOO_LONG_MS}, ${APART_MS}];
const FAILED = ${JSON.stringify(START_FAILED)};
const KEY = "tenantry.starting";
const at = (id) => document.getElementById(id);
let done = false, failed = false, long = "", status = "stopped", restoring = false, missedPolls = 0;

// A reload continues the same wait.
const since = (() => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY));
    if (Date.now() - stored.seen < APART) return stored.since;
  } catch {}
  return Date.now();
})();
function store() {
  try { sessionStorage.setItem(KEY, JSON.stringify({ since, seen: Date.now() })); } catch {}
}

// A screen reader announces changed text only.
function setText(id, text) { if (at(id).textContent !== text) at(id).textContent = text; }

function statusText() {
  if (status === "running") return "Ready. Opening the gateway";
  if (missedPolls > 2) return "Cannot connect. Check your internet connection";
  if (failed) return status === "starting" ? "Trying to start again" : "Waiting for the next attempt";
  if (status === "starting") return "Starting the gateway";
  return restoring ? "Waking up and restoring your data" : "Waking up";
}

function draw() {
  const waited = Date.now() - since;
  if (long !== "too" && waited >= TOO_LONG) long = "too";
  else if (long === "" && waited >= LONG) long = "long";
  setText("state", statusText());
  // The steps show the same text visually.
  at("state").className = failed || missedPolls > 2 ? "" : "unseen";
  setText("wake", restoring ? "Wake up and restore your data" : "Wake up");
  for (const step of at("steps").children) {
    const order = ["stopped", "starting", "running"];
    const behind = order.indexOf(step.dataset.step) - order.indexOf(status);
    step.className = behind < 0 ? "past" : behind === 0 ? "present" : "";
    if (behind === 0) step.setAttribute("aria-current", "step");
    else step.removeAttribute("aria-current");
  }
  at("steps").hidden = failed;
  at("bar").hidden = failed || long === "too";
  at("advice").hidden = done || (!failed && long === "");
  const title = failed ? "The gateway did not start" : long === "too" ? "The gateway has not started yet"
    : long === "long" ? "This takes longer than usual" : at("title").textContent;
  setText("title", title);
  if (failed) setText("lead", "The last start failed. The platform tries again automatically, with longer pauses.");
  else if (long !== "") setText("lead", "It has been starting for " + Math.round(waited / 60000) + " min.");
  document.querySelector(".badge").className = "badge " + (failed || long === "too" ? "bad" : "busy");
  if (failed || long !== "") document.title = title;
}

function show(snapshot) {
  if (done) return;
  missedPolls = 0;
  status = snapshot.status;
  const { hadBackup, restored } = snapshot.restoreStatus;
  restoring = hadBackup && !restored;
  const error = snapshot.readiness.error ?? "";
  if (error.startsWith(FAILED)) {
    failed = true;
    setText("detail", error.slice(FAILED.length));
    at("detail").hidden = false;
  }
  if (status === "running") done = true;
  draw();
  // Navigating to an address with a fragment would not load it again.
  if (done) location.reload();
}

async function fetchHealth() {
  const response = await fetch("/api/health", { cache: "no-store" });
  if (response.ok) return show(await response.json());
  // The tenant was frozen or stopped. A reload shows the page that explains it.
  if ((response.status === 403 || response.status === 404) && !done) { done = true; location.reload(); }
  return Number(response.headers.get("retry-after")) || 0;
}

async function poll() {
  while (!done) {
    let wait = long === "" ? 2 : 5;
    try { wait = Math.max(wait, Math.min(60, (await fetchHealth()) ?? 0)); } catch { missedPolls += 1; draw(); }
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
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
// The stream sends a snapshot every five seconds, so polling is faster.
setTimeout(fallBack, 1000);
store();
draw();
setInterval(() => { if (!done) { store(); draw(); } }, 1000);
`;
