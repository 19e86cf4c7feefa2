import { join, resolve } from 'node:path';
import { SBOM_WORKSPACES, writeSbom } from './write-sbom';

const FOLDER = join(resolve(__dirname, '../../../..'), 'artefacts', 'sbom');

/**
 * `npm run sbom [-- NAME …]`: writes the bills of materials of these images, by default of all images and of the
 * whole repository.
 */
async function main(): Promise<void> {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : Object.keys(SBOM_WORKSPACES)) {
    process.stdout.write(`${await writeSbom(name, FOLDER)}\n`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
