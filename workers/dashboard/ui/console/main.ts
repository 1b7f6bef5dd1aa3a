/** Entry of the console, at `/console/{slug}/`. */
import { consoleApi } from "#domain/access/access-addresses.ts";
import { app } from "../api/app.ts";
import { startApp } from "../frame/start/start-app.tsx";
import { consoleRouter } from "./router.ts";

const address = new URL(location.href);
const [, root = "", slug = ""] = address.pathname.split("/");
// The Worker adds it after a login, and reads it to find out whether the browser stores cookies.
address.searchParams.delete("entered");
history.replaceState(null, "", address);
app.name = document.title;
app.apiPath = consoleApi(slug);
startApp(consoleRouter(`/${root}/${slug}`));
