/**
 * Makes `fetch` close idle connections after a second, once per process. workerd does so after five: with the default of four, a busy process
 * would send requests on connections that workerd just closed.
 */
import { Agent, setGlobalDispatcher } from "undici";

setGlobalDispatcher(new Agent({ keepAliveTimeout: 1_000 }));
