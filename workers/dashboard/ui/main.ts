/** Entry of the dashboard. */
import { startApp } from "./frame/start/start-app.tsx";
import { router } from "./router.ts";

startApp(router);
