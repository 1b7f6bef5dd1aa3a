/**
 * Changes to Go modules of the engine:
 *
 * - Tables and schemas that few commands need are loaded on first use. They take most of a short command's processor time.
 * - Clients of Google Cloud and Azure are removed, because they take long to compile. States and keys in these clouds need the vendor's
 *   build.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Two packages that estimate the strength of values of `config set`. */
const PASSWORD_STRENGTH = {
  "frequency/frequency.go": [["func init() {", "func Load() {"]],
  "matching/matching.go": [
    ["func init() {\n\tloadFrequencyList()\n}\n", ""],
    ["func loadFrequencyList() {\n", "func loadFrequencyList() {\n\tfrequency.Load()\n"],
  ],
};

/** Runs a file's `init` once, before `use`. @param near an import that `sync` follows */
const onDemand = (near, use) => [
  [`\t"${near}"\n`, `\t"${near}"\n\t"sync"\n`],
  ["\nfunc init() {\n", "\nvar loadOnDemand = sync.OnceFunc(initOnDemand)\n\nfunc initOnDemand() {\n"],
  [use, `loadOnDemand()\n\t${use}`],
];

const unsupported = (what) =>
  `errors.New("this build of the engine does not support ${what}: install the vendor's build")`;

const ENGINE = {
  "codegen/schema/bind.go": onDemand("strings", "if err = MetaSchema.Validate(raw)"),
  "resource/stack/deployment.go": onDemand("strings", "return deploymentSchema.Validate(raw)"),
  "backend/httpstate/client/api_endpoints.go": onDemand("path", "if !routes.Match(&req, &match)"),
  "backend/diy/backend.go": [
    ['\t_ "gocloud.dev/blob/azureblob" // driver for azblob://\n', ""],
    ['\t"gocloud.dev/blob/gcsblob"     // driver for gs://\n', ""],
    ['\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"\n', ""],
    // Still recognized, so that the error explains why.
    [
      "return blob.DefaultURLMux().ValidBucketScheme(u.Scheme)",
      'return u.Scheme == "gs" || u.Scheme == "azblob" || blob.DefaultURLMux().ValidBucketScheme(u.Scheme)',
    ],
    ["if p.Scheme == gcsblob.Scheme {", 'if p.Scheme == "gs" || p.Scheme == "azblob" {'],
    ["blobmux, err = authhelpers.GoogleCredentialsMux(ctx)", `err = ${unsupported("gs:// and azblob://")}`],
  ],
  "secrets/cloud/manager.go": [
    ['\t"encoding/json"\n', '\t"encoding/json"\n\t"errors"\n'],
    ['\t_ "gocloud.dev/secrets/azurekeyvault" // support for azurekeyvault://\n', ""],
    ['\t"gocloud.dev/secrets/gcpkms"          // support for gcpkms://\n', ""],
    ['\t"google.golang.org/api/cloudkms/v1"\n', ""],
    ['\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"\n', ""],
    [
      "case gcpkms.Scheme:",
      `case "gcpkms", "azurekeyvault":\n\t\treturn nil, ${unsupported("gcpkms:// and azurekeyvault://")}`,
    ],
    [/\n\t\tcredentials, err := authhelpers[\s\S]*?return opener\.OpenKeeperURL\(ctx, u\)\n/, "\n"],
  ],
  // `pulumi env get` shows a difference without colors: their lexers are 260 XML files, parsed at each start.
  "cmd/esc/cli/env_get.go": [
    ['\t"github.com/alecthomas/chroma/v2/quick"\n\t"github.com/alecthomas/chroma/v2/styles"\n', ""],
    [
      /\ttheme := style\.Chroma.*\n\tstyles\.Register\(theme\)\n\treturn quick\.Highlight.*\n/,
      "\t_, err := fmt.Fprint(get.env.esc.stdout, data)\n\treturn err\n",
    ],
  ],
  // Logs of Google Cloud functions, for `pulumi logs`.
  "operations/operations_gcp.go": undefined,
  "operations/resources.go": [['\tcase "gcp":\n\t\treturn GCPOperationsProvider(ctx, ops.config, ops.resource)\n', ""]],
};

const CHANGES = {
  "github.com/pulumi/pulumi/pkg/v3": ENGINE,
  "github.com/nbutton23/zxcvbn-go": PASSWORD_STRENGTH,
  "github.com/ccojocar/zxcvbn-go": PASSWORD_STRENGTH,
  // Computes widths on demand instead of a table of a million characters at start.
  "github.com/mattn/go-runewidth": {
    "runewidth.go": [
      ["\tinitStrictWidthLUT()\n", ""],
      ["int(strictWidthLUT[1][r])", "runeWidthNoLUT(r, true, true)"],
      ["int(strictWidthLUT[0][r])", "runeWidthNoLUT(r, false, true)"],
    ],
  },
};

const isTest = (path) => basename(path) === "testdata" || path.endsWith("_test.go");

/**
 * Writes changed copies of the modules and a module file that uses them.
 *
 * @param {string} cwd directory of the Go module to build
 * @param {string} directory empty
 * @returns {string[]} compiler options
 * @throws Error when a module cannot be read or does not match
 */
export function changedSources(cwd, directory) {
  let moduleFile = readFileSync(join(cwd, "go.mod"), "utf8");
  const downloaded = spawnSync("go", ["mod", "download", "-json", ...Object.keys(CHANGES)], { cwd, encoding: "utf8" });
  if (downloaded.status !== 0) throw new Error(`go mod download failed: ${downloaded.stderr}`);
  for (const { Path, Dir } of JSON.parse(`[${downloaded.stdout.replaceAll("}\n{", "},{")}]`)) {
    const copy = join(directory, Path.replaceAll("/", "-"));
    cpSync(Dir, copy, { recursive: true, filter: (path) => !isTest(path) });
    // Downloaded modules are read-only.
    for (const entry of [".", ...readdirSync(copy, { recursive: true })]) chmodSync(join(copy, String(entry)), 0o755);
    if (!existsSync(join(copy, "go.mod"))) writeFileSync(join(copy, "go.mod"), `module ${Path}\n`);
    for (const [file, changes] of Object.entries(CHANGES[Path])) {
      if (changes === undefined) {
        rmSync(join(copy, file));
        continue;
      }
      let text = readFileSync(join(copy, file), "utf8");
      for (const [before, after] of changes) {
        const changed = text.replace(before, () => after);
        if (changed === text) throw new Error(`${Path}/${file} does not contain ${JSON.stringify(String(before))}`);
        text = changed;
      }
      writeFileSync(join(copy, file), text);
    }
    moduleFile += `\nreplace ${Path} => ${copy}\n`;
  }
  writeFileSync(join(directory, "go.mod"), moduleFile);
  cpSync(join(cwd, "go.sum"), join(directory, "go.sum"));
  return ["-modfile", join(directory, "go.mod")];
}
