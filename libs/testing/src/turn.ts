import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
/** The whole of what takes turns would take longer than all other tests. */
const PARTS = 4;

/**
 * The part of `items` whose turn it is: a quarter, chosen by the commit, so that a run can be repeated and some commits
 * together run everything. `DRILLS=all` gives all of them.
 */
export function whoseTurnItIs<Item>(items: readonly Item[]): readonly Item[] {
  if (process.env['DRILLS'] === 'all') return items;
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  const turn = Number.parseInt(commit.slice(0, 8), 16) % PARTS;
  return items.filter((_, index) => index % PARTS === turn);
}
