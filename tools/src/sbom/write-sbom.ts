import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../../..');

/** The subject of each bill: the workspace from which an image is built, or under `vitrine` the whole repository. */
export const SBOM_WORKSPACES: Readonly<Record<string, string | null>> = {
  vitrine: null,
  'api-gateway': 'apps/api-gateway',
  'upload-service': 'apps/upload-service',
  'media-processor': 'apps/media-processor',
  'moderation-service': 'apps/moderation-service',
  website: 'apps/website',
  admin: 'tools',
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
  return file;
}
