import { asksForHelp, asksForUsage } from './help';

/**
 * What a command line needs of the embedded database: nothing, a database that may be a new one, or one that exists, because
 * the command reads or changes a site.
 */
export type DatabaseNeed = 'none' | 'new' | 'existing';

/** Commands that read only settings, and change a bucket or another team's bus, or nothing. */
const WITHOUT_DATABASE = new Set(['grant-storage', 'bus-consumer', 'publish-examples']);

/** Commands that prepare what Vitrine will run on, or check it. */
const BEFORE_THE_FIRST_START = new Set(['migrate', 'declare-queues', 'doctor']);

/** The need of a command line of `npm run admin`. */
export function databaseNeed([name, ...args]: readonly string[]): DatabaseNeed {
  if (name === undefined || asksForHelp(name) || asksForUsage(args)) return 'none';
  if (WITHOUT_DATABASE.has(name)) return 'none';
  return BEFORE_THE_FIRST_START.has(name) ? 'new' : 'existing';
}
