import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import 'sharp';
import type { ToolCommand } from '../jobs/protocol';

/*
 * Runs like a worker, and reports to its parent whether a worker could do its work there: load native code, run the
 * tools, write to its folder. Arguments: the folder or an empty string, and a JSON array of the commands to try.
 */
const [folder = '', trials = '[]'] = process.argv.slice(2);
require.resolve('../worker/main');
for (const [program, ...args] of JSON.parse(trials) as ToolCommand[]) {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${status ?? 'a signal'}`);
}
if (folder !== '') {
  const file = join(folder, 'probe');
  writeFileSync(file, 'written');
  if (readFileSync(file, 'utf8') !== 'written') throw new Error('The written file could not be read');
}
process.send?.('works', () => process.disconnect());
