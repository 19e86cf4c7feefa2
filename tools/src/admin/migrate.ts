import { DatabaseConfig, runMigrations } from '@vitrine/database';
import { loadConfig } from '@vitrine/runtime';
import { type AdminCommand, CommandFailure, UsageError } from './admin-command';
import { readArguments } from './arguments';
import { describeFailure } from './doctor/check';

/** `npm run admin -- migrate`, and the job that runs before a release's processes. */
export const migrate: AdminCommand = {
  name: 'migrate',
  usage: '[--patience SECONDS]',
  summary: 'Bring the database to the schema of this release; safe under load, and by many at once.',
  async run(args, { print }) {
    const { patience = '600' } = readArguments(args, { positions: [], options: ['patience'] });
    if (!/^\d{1,5}$/.test(patience)) throw new UsageError('--patience takes seconds.');
    // eslint-disable-next-line no-restricted-properties
    const { url } = loadConfig(DatabaseConfig, process.env);
    const options = { patienceMs: Number(patience) * 1000, say: print };
    const taken = await runMigrations(url, undefined, options).catch((error: unknown) => {
      throw new CommandFailure(describeFailure(error));
    });
    print(taken.length === 0 ? 'The schema is up to date.' : `Took ${taken.length} steps.`);
  },
};
