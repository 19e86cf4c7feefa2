// install-production.mjs NAME: in a folder with the manifests of the workspace, installs what the package of that name
// (an app, or admin) needs in production, and leaves nothing else there.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { removeUnusedFiles } from '../tools/bin/unused-files.mjs';

const [name] = process.argv.slice(2);
const folders = ['apps', 'libs', 'tools'].flatMap((group) =>
  readdirSync(group).map((folder) => `${group}/${folder}`),
);
const manifests = new Map(
  folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return [manifest.name, { folder, manifest }];
  }),
);

/** The package of this name and all of ours below it. */
function withOurs(root, found = new Set()) {
  if (found.has(root) || !manifests.has(root)) return found;
  found.add(root);
  for (const other of Object.keys(manifests.get(root).manifest.dependencies ?? {})) withOurs(other, found);
  return found;
}
const wanted = withOurs(`@vitrine/${name}`);
if (wanted.size === 0) throw new Error(`The workspace has no package @vitrine/${name}`);

// npm follows what a package of the workspace needs for its development wherever another needs that in production, and
// would put the image decoder of a library's tests beside the upload service. So it doesn't get to see it.
for (const { folder, manifest } of manifests.values()) {
  delete manifest.devDependencies;
  writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
}

// With --legacy-peer-deps, peers are installed only for packages that also list them as dependencies. Otherwise npm would
// install every optional peer in the lockfile, even those that this package never loads. No package needs its install script.
execFileSync(
  'npm',
  [
    'ci',
    '--omit=dev',
    '--legacy-peer-deps',
    `--workspace=@vitrine/${name}`,
    '--include-workspace-root=false',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ],
  { stdio: 'inherit' },
);

for (const [other, { folder }] of manifests) {
  if (wanted.has(other)) continue;
  rmSync(folder, { recursive: true });
  rmSync(`node_modules/${other}`, { force: true });
}
rmSync('package-lock.json');

// Only compilers read these files.
const modules = ['.', ...folders].map((folder) => `${folder}/node_modules`).filter(existsSync);
execFileSync('find', [
  ...modules,
  ...['-type', 'f', '-regex', '.*\\.\\([cm]?tsx?\\|tsbuildinfo\\)', '-delete'],
]);

// node-av's program is under the GPL with parts that the GPL doesn't allow, so no image may contain it; the image has Debian's
// ffmpeg. Nothing else uses the two empty packages that replace node-av's own dependencies.
for (const name of ['@seydx', 'node-av', 'unzipper', 'werift']) {
  rmSync(`node_modules/${name}`, { recursive: true, force: true });
}

removeUnusedFiles('.');
