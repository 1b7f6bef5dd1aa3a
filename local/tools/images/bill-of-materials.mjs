/**
 * Returns an image's bill of materials in the format CycloneDX 1.5: the packages of its lock file with their licences, and those of Debian, whose
 * licences are in the image at `/usr/share/doc/{package}/copyright`. `npm sbom` refuses OpenClaw's plug-ins, whose bundles have other versions
 * than their packages declare. The same image has the same bill.
 *
 * @param {{ image: string, lock: { packages: Record<string, object> }, debian: string }} parts `debian` has lines of package and version
 */
export function billOfMaterials({ image, lock, debian }) {
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  const fromNpm = installed.map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    return {
      ...component("npm", name.replace("@", "%40"), version),
      name,
      ...(license && { licenses: [{ expression: license }] }),
    };
  });
  const fromDebian = debian
    .trim()
    .split("\n")
    .map((line) => {
      const [name, version] = line.split("\t");
      return { ...component("deb/debian", name, version), name };
    });
  const components = new Map([...fromNpm, ...fromDebian].map((one) => [one.purl, one]));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "container", name: image, "bom-ref": image } },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  };
}

function component(type, name, version) {
  const purl = `pkg:${type}/${name}@${encodeURIComponent(version)}`;
  return { type: "library", "bom-ref": purl, version, purl };
}
