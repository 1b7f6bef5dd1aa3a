/** Replaces `bench/main.ts`. The first argument selects its behaviour. */
const [name = ""] = process.argv.slice(2);
const stay = () => void setInterval(() => {}, 60_000);

if (name.startsWith("stuck")) stay();
if (name.endsWith("deaf")) process.on("SIGTERM", () => {});
if (!name.startsWith("stuck")) process.send?.({ name, results: [] }, () => process.disconnect());
if (name === "lingering") stay();
if (name === "failing") process.exitCode = 1;
