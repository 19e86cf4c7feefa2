import { InvalidFieldsError, NotFoundError } from '@vitrine/domain';
import { ConfigurationError, sqlState } from '@vitrine/runtime';
import {
  changeRole,
  createUser,
  mintToken,
  removeSecondFactor,
  resetPassword,
} from './commands/account-commands';
import { limit, restore, suspend } from './commands/account-state-commands';
import {
  type AdminCommand,
  type AdminOutput,
  CommandFailure,
  UsageError,
} from './command-line/admin-command';
import { asksForHelp, asksForUsage } from './command-line/help';
import { alternatives } from './commands/alternatives';
import { busConsumer } from './commands/bus-consumer';
import { cachePurges } from './commands/cache-purges';
import { deadLetters } from './commands/dead-letters';
import { banHash, reprocess } from './commands/media-commands';
import { doctor } from './doctor/doctor';
import { declareQueues } from './commands/declare-queues';
import { grantStorage } from './commands/grant-storage';
import { holdDeletions } from './commands/hold-deletions';
import { publishExamples } from './commands/publish-examples';
import { quota } from './commands/quota';
import { adoptTheBaseline, migrate } from './commands/migrate';
import { seedDemo } from './commands/seed-demo';
import { splitFiles } from './commands/split-files';
import { sweepOrphans } from './commands/sweep-orphans';
import { verifyCounts } from './commands/verify-counts';

const COMMANDS: readonly AdminCommand[] = [
  createUser,
  changeRole,
  mintToken,
  removeSecondFactor,
  resetPassword,
  suspend,
  limit,
  restore,
  quota,
  banHash,
  reprocess,
  splitFiles,
  sweepOrphans,
  holdDeletions,
  verifyCounts,
  seedDemo,
  deadLetters,
  cachePurges,
  alternatives,
  migrate,
  adoptTheBaseline,
  declareQueues,
  busConsumer,
  publishExamples,
  grantStorage,
  doctor,
];

/** PostgreSQL's undefined_table. */
const NO_SUCH_TABLE = '42P01';

/** Runs one command line. Returns the exit status: 0 success, 1 failure, 2 wrong usage. */
export async function runAdmin([name, ...args]: readonly string[], output: AdminOutput): Promise<number> {
  if (name === undefined || asksForHelp(name)) {
    help(output.print);
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    output.complain(`There is no command ${name}.`);
    help(output.complain);
    return 2;
  }
  if (asksForUsage(args)) {
    output.print(usageOf(command));
    output.print(command.summary);
    return 0;
  }
  try {
    await command.run(args, output);
    return 0;
  } catch (error) {
    output.complain(explain(error));
    if (!(error instanceof UsageError)) return 1;
    output.complain(usageOf(command));
    return 2;
  }
}

const usageOf = ({ name, usage }: AdminCommand): string =>
  `Usage: npm run admin -- ${name} ${usage}`.trimEnd();

function help(print: (line: string) => void): void {
  print('Usage: npm run admin -- <command>');
  for (const { name, usage, summary } of COMMANDS) {
    print('');
    print(`  ${name} ${usage}`);
    print(`      ${summary}`);
  }
}

function explain(error: unknown): string {
  if (error instanceof InvalidFieldsError) return Object.values(error.errors).flat().join('\n');
  if (error instanceof NotFoundError) return 'There is no such item.';
  if (error instanceof UsageError || error instanceof CommandFailure || error instanceof ConfigurationError) {
    return error.message;
  }
  if (sqlState(error) === NO_SUCH_TABLE)
    return 'The database has no schema yet: start Vitrine once, or run: npm run admin -- migrate';
  if (error instanceof AggregateError) return `It failed: ${error.errors.map(String).join('; ')}`;
  return `It failed: ${error instanceof Error ? error.message : String(error)}`;
}
