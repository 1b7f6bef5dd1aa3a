/**
 * Has Node itself write stack traces. The SDK takes one for each resource and each promise, and its loader has every line of
 * them looked up in source maps, of which this program has none: half the time of a run. Imported for this effect alone.
 */
// Only where the program has a process of its own: a caller of the Automation API may have traces of another making.
if (process.env.PULUMI_NODEJS_ENGINE) Reflect.deleteProperty(Error, "prepareStackTrace");
