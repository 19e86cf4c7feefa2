import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'sharp';

/** The status of a program whose libraries are missing. */
const CANNOT_LOAD = 127;

/*
 * Runs as a worker would, and tells its parent whether a worker can do its work there: load native code, run the
 * programs that it is given, write to its folder. Arguments: the folder or an empty string, then the programs.
 */
const [folder = '', ...programs] = process.argv.slice(2);
require.resolve('../worker/main');
for (const program of programs) {
  const { error, status } = spawnSync(program, ['-version'], { stdio: 'ignore' });
  if (error) throw error;
  if (status === CANNOT_LOAD) throw new Error(`${program} can't be loaded`);
}
if (folder !== '') {
  const file = join(folder, 'probe');
  writeFileSync(file, 'written');
  if (readFileSync(file, 'utf8') !== 'written') throw new Error('What was written could not be read');
  rmSync(file);
}
process.send?.('works', () => process.disconnect());
