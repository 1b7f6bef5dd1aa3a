/**
 * Restores Node's own stack traces. The SDK captures one for each resource and promise, and its loader maps every line to sources,
 * which takes half of a run's time without benefit here. Import it for its effect.
 */
// Only in a process of the program: a caller of the Automation API may use its own traces.
if (process.env.PULUMI_NODEJS_ENGINE) Reflect.deleteProperty(Error, "prepareStackTrace");
