import { adoptBaseline, DatabaseConfig, grantRows, runMigrations, Database } from '@vitrine/database';
import { AuditLog, AuditLogModule } from '@vitrine/domain';
import { readConfig } from '@vitrine/runtime';
import { type AdminCommand, CommandFailure, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withModule } from '../command-line/contexts';
import { describeFailure } from '../doctor/check';

/** `npm run admin -- migrate`, and the job that runs before a release's processes. */
export const migrate: AdminCommand = {
  name: 'migrate',
  usage: '[--patience SECONDS] [--grant-to ROLE]',
  summary:
    'Migrate the database to the schema of this release; safe under load and when several run at a time.',
  async run(args, { print }) {
    const { patience = '600', 'grant-to': role } = readArguments(args, {
      positions: [],
      options: ['patience', 'grant-to'],
    });
    if (!/^\d{1,5}$/.test(patience)) throw new UsageError('--patience must be a number of seconds.');
    const { url } = readConfig(DatabaseConfig);
    const options = { patienceMs: Number(patience) * 1000, say: print };
    const taken = await runMigrations(url, undefined, options).catch(explain);
    print(taken.length === 0 ? 'The schema is up to date.' : `Ran ${taken.length} steps.`);
    if (taken.length > 0) await recordMigration(taken.length).catch(explain);
    if (role === undefined) return;
    await grantRows(url, role).catch(explain);
    print(`${role} may read and write rows.`);
  },
};

/** For a site whose schema was made by the steps that the baseline replaced. */
export const adoptTheBaseline: AdminCommand = {
  name: 'adopt-baseline',
  usage: '',
  summary:
    'Record that the schema, made by the steps before the baseline, is that of the baseline; changes nothing else.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    const replaced = await adoptBaseline(readConfig(DatabaseConfig).url).catch(explain);
    print(
      replaced === 0
        ? 'The database has the baseline already.'
        : `Replaced the records of ${replaced} steps by the baseline. Next: npm run admin -- migrate`,
    );
  },
};

function explain(error: unknown): never {
  throw new CommandFailure(describeFailure(error));
}

const recordMigration = (steps: number): Promise<void> =>
  withModule(AuditLogModule, (context) =>
    context.get(Database).transaction((tx) =>
      context.get(AuditLog).append(tx, {
        by: null,
        action: 'site.migrate',
        subject: { type: 'site', id: null, name: 'schema' },
        detail: { steps },
      }),
    ),
  );
