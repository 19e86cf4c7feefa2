import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'sharp';

/** The exit code of a program whose libraries are missing. */
const CANNOT_LOAD = 127;

/*
 * Runs like a worker, and reports to its parent whether a worker could do its work there: load native code, run the
 * given programs, write to its folder. Arguments: the folder or an empty string, then the programs.
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
  if (readFileSync(file, 'utf8') !== 'written') throw new Error('The written file could not be read');
  rmSync(file);
}
process.send?.('works', () => process.disconnect());
