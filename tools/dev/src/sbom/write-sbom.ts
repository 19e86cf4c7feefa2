import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly 'bom-ref': string;
}

interface Bill {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

const ROOT = resolve(__dirname, '../../../..');

/** The subject of each bill: the workspace from which an image is built, or under `vitrine` the whole repository. */
export const SBOM_WORKSPACES: Readonly<Record<string, string | null>> = {
  vitrine: null,
  'api-gateway': 'apps/api-gateway',
  'upload-service': 'apps/upload-service',
  'media-processor': 'apps/media-processor',
  'moderation-service': 'apps/moderation-service',
  website: 'apps/website',
  admin: 'tools/admin',
};

/**
 * Writes `<name>.json` into `folder`: a CycloneDX 1.6 bill of the npm packages that production needs, on every
 * platform, from the lockfile only. The same lockfile gives the same bytes. Returns the file's path.
 */
export async function writeSbom(name: string, folder: string): Promise<string> {
  const workspace = SBOM_WORKSPACES[name];
  if (workspace === undefined) {
    throw new Error(`There is no image ${name}. Known: ${Object.keys(SBOM_WORKSPACES).join(', ')}`);
  }
  const file = join(folder, `${name}.json`);
  await mkdir(folder, { recursive: true });
  const program = createRequire(__filename).resolve('@cyclonedx/cyclonedx-npm');
  await promisify(execFile)(
    process.execPath,
    [
      join(dirname(program), 'bin', 'cyclonedx-npm-cli.js'),
      ...['--package-lock-only', '--omit', 'dev', '--output-reproducible', '--spec-version', '1.6'],
      ...(workspace === null ? [] : ['--workspace', workspace]),
      ...['--output-format', 'JSON', '--output-file', file],
    ],
    { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
  );
  const bill = JSON.parse(await readFile(file, 'utf8')) as Bill;
  const correct = workspace === null ? withTrueLicences(bill) : withoutNodeAv(bill);
  await writeFile(file, `${JSON.stringify(correct, null, 2)}\n`);
  return file;
}

/** Names what `@seydx/node-av-*` holds, which its manifest calls MIT: FFmpeg with x264 and Fraunhofer's AAC codec. */
function withTrueLicences(bill: Bill): Bill {
  const licenses = [{ expression: 'GPL-3.0-or-later AND FDK-AAC', acknowledgement: 'concluded' }];
  return {
    ...bill,
    components: bill.components.map((component) =>
      component.group === '@seydx' ? { ...component, licenses } : component,
    ),
  };
}

/** Images don't contain node-av (see docker/install-production.mjs). */
function withoutNodeAv(bill: Bill): Bill {
  const isAbsent = ({ group, name }: Component): boolean =>
    group === '@seydx' || ['node-av', 'empty-npm-package', 'unzipper', 'werift'].includes(name);
  const absent = new Set(bill.components.filter(isAbsent).map((component) => component['bom-ref']));
  return {
    ...bill,
    components: bill.components.filter((component) => !isAbsent(component)),
    dependencies: bill.dependencies
      .filter(({ ref }) => !absent.has(ref))
      .map(({ dependsOn, ...dependency }) => ({
        ...dependency,
        ...(dependsOn ? { dependsOn: dependsOn.filter((ref) => !absent.has(ref)) } : {}),
      })),
  };
}
