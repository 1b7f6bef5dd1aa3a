/** The loading page's script: shows how far the start has come, and reloads when the gateway runs. */
import { START_FAILED } from "../health/probes.ts";

/** From when on a start takes longer than usual, in milliseconds. */
export const LONG_MS = 60_000;
/** From when on nobody should sit and wait for it, in milliseconds; the page goes on looking. */
export const TOO_LONG_MS = 5 * 60_000;
/** A page that was seen this long ago, in milliseconds, showed another start. */
const APART_MS = 15_000;

export const LOADING_SCRIPT = `
const [LONG, TOO_LONG, APART] = [${LONG_MS}, ${TOO_LONG_MS}, ${APART_MS}];
const FAILED = ${JSON.stringify(START_FAILED)};
const KEY = "tenantry.starting";
const at = (id) => document.getElementById(id);
let done = false, failed = false, long = "", status = "stopped", restoring = false, unheard = 0;

// A reload goes on counting.
const since = (() => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    if (Date.now() - kept.seen < APART) return kept.since;
  } catch {}
  return Date.now();
})();
function keep() {
  try { sessionStorage.setItem(KEY, JSON.stringify({ since, seen: Date.now() })); } catch {}
}

// What has not changed is not read out again.
function say(id, text) { if (at(id).textContent !== text) at(id).textContent = text; }

function words() {
  if (status === "running") return "It runs: opening it";
  if (unheard > 2) return "The platform cannot be reached from here: look at your connection";
  if (failed) return status === "starting" ? "Another start is under way" : "Waiting for the next try";
  if (status === "starting") return "Starting the gateway";
  return restoring ? "Waking up, and bringing its data back" : "Waking up";
}

function draw() {
  const waited = Date.now() - since;
  if (long !== "too" && waited >= TOO_LONG) long = "too";
  else if (long === "" && waited >= LONG) long = "long";
  say("state", words());
  // As long as all is as usual, the steps show the same.
  at("state").className = failed || unheard > 2 ? "" : "unseen";
  say("wake", restoring ? "Wake up, and bring its data back" : "Wake up");
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
  say("title", title);
  if (failed) say("lead", "Its last start came to nothing. It is tried again by itself, each time a little later.");
  else if (long !== "") say("lead", "It has been starting for " + Math.round(waited / 60000) + " min.");
  document.querySelector(".badge").className = "badge " + (failed || long === "too" ? "bad" : "busy");
  if (failed || long !== "") document.title = title;
}

function show(snapshot) {
  if (done) return;
  unheard = 0;
  status = snapshot.status;
  const { hadBackup, restored } = snapshot.restoreStatus;
  restoring = hadBackup && !restored;
  const error = snapshot.readiness.error ?? "";
  if (error.startsWith(FAILED)) {
    failed = true;
    say("detail", error.slice(FAILED.length));
    at("detail").hidden = false;
  }
  if (status === "running") done = true;
  draw();
  // An address with a fragment is not loaded anew by going to it.
  if (done) location.reload();
}

async function look() {
  const answer = await fetch("/api/health", { cache: "no-store" });
  if (answer.ok) return show(await answer.json());
  // Frozen or stopped meanwhile: what there is to say of it is said at this very address.
  if ((answer.status === 403 || answer.status === 404) && !done) { done = true; location.reload(); }
  return Number(answer.headers.get("retry-after")) || 0;
}

async function poll() {
  while (!done) {
    let wait = long === "" ? 2 : 5;
    try { wait = Math.max(wait, Math.min(60, (await look()) ?? 0)); } catch { unheard += 1; draw(); }
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
// The stream speaks every five seconds; once the start is under way this asks sooner.
setTimeout(fallBack, 1000);
keep();
draw();
setInterval(() => { if (!done) { keep(); draw(); } }, 1000);
`;
