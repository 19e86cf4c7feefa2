import { InvalidFieldsError, NotFoundError } from '@vitrine/domain';
import { ConfigurationError, sqlState } from '@vitrine/runtime';
import { changeRole, createUser, mintToken } from './account-commands';
import { type AdminCommand, type AdminOutput, CommandFailure, UsageError } from './admin-command';
import { deadLetters } from './dead-letters';
import { banHash, reprocess } from './media-commands';
import { doctor } from './doctor/doctor';
import { declareQueues } from './declare-queues';
import { grantStorage } from './grant-storage';
import { migrate } from './migrate';
import { seedDemo } from './seed-demo';
import { verifyCounts } from './verify-counts';

const COMMANDS: readonly AdminCommand[] = [
  createUser,
  changeRole,
  mintToken,
  banHash,
  reprocess,
  verifyCounts,
  seedDemo,
  deadLetters,
  migrate,
  declareQueues,
  grantStorage,
  doctor,
];

const HELP_WORDS = new Set(['help', '--help', '-h']);

/** PostgreSQL's undefined_table. */
const NO_SUCH_TABLE = '42P01';

/** Carries out one command line and returns the exit status: 0 done, 1 failed, 2 not understood. */
export async function runAdmin([name, ...args]: readonly string[], output: AdminOutput): Promise<number> {
  if (name === undefined || HELP_WORDS.has(name)) {
    help(output.print);
    return name === undefined ? 2 : 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    output.complain(`There is no command ${name}.`);
    help(output.complain);
    return 2;
  }
  try {
    await command.run(args, output);
    return 0;
  } catch (error) {
    output.complain(explain(error));
    if (!(error instanceof UsageError)) return 1;
    output.complain(`Usage: npm run admin -- ${command.name} ${command.usage}`);
    return 2;
  }
}

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
  if (error instanceof NotFoundError) return 'There is nothing of this name.';
  if (error instanceof UsageError || error instanceof CommandFailure || error instanceof ConfigurationError) {
    return error.message;
  }
  if (sqlState(error) === NO_SUCH_TABLE)
    return 'The database has no schema yet: start Vitrine once, or migrate it.';
  if (error instanceof AggregateError) return `It did not work: ${error.errors.map(String).join('; ')}`;
  return `It did not work: ${error instanceof Error ? error.message : String(error)}`;
}
