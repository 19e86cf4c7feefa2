import { resolve } from 'node:path';
import { carryOut, planRelease, ReleaseError } from './release';

/**
 * `npm run release -- VERSION [--write]`: checks that the version can be released and shows what would change; with
 * `--write`, changes the files, commits and tags.
 */
function main(): void {
  const root = resolve(__dirname, '../../../..');
  const words = process.argv.slice(2);
  const [version = '', ...more] = words.filter((word) => word !== '--write');
  if (!version || more.length > 0) throw new ReleaseError('Usage: npm run release -- VERSION [--write]');
  const release = planRelease(root, version, new Date().toISOString().slice(0, 10));
  const { tag, previous, changes, files } = release;
  const write = words.includes('--write');
  if (write) carryOut(root, release);
  process.stdout.write(
    [
      `${tag}, after ${previous ?? 'no other release'}`,
      `Migrations: ${changes.migrations.join(', ') || 'none'}`,
      `Settings: ${[...changes.added.map((name) => `+${name}`), ...changes.removed.map((name) => `-${name}`)].join(' ') || 'as before'}`,
      ...[...files.keys()].map((file) => `${write ? 'Changed' : 'Would change'} ${file}`),
      write
        ? `Committed and tagged. Next: git push --follow-tags, then docker/build.sh --registry NAME --push`
        : 'Nothing is written yet: repeat with --write.',
      '',
    ].join('\n'),
  );
}

try {
  main();
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
