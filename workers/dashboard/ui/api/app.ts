/** What differs between the dashboard and the console. The console's entry changes it before anything renders. */
export const app = {
  /** In the titles of pages. */
  name: "Tenantry",
  /** Path before those of the API's routes. */
  apiPath: "",
};
