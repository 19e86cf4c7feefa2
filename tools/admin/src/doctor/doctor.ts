import { CommandFailure, type AdminCommand } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { type Check, examine, type Finding } from './check';
import { busCheck } from './bus-check';
import { databaseCheck, migrationsCheck, replicasCheck } from './database-checks';
import { foldersCheck, isolationCheck, mediaToolsCheck } from './machine-checks';
import { pictureDecodersCheck } from './picture-decoders-check';
import { clockCheck, publicAddressesCheck, redisCheck } from './network-checks';
import { limitsCheck, settingsCheck, siteKeyCheck } from './settings-checks';
import { storageCheck } from './storage-check';

const CHECKS: readonly Check[] = [
  settingsCheck,
  databaseCheck,
  migrationsCheck,
  replicasCheck,
  busCheck,
  storageCheck,
  redisCheck,
  mediaToolsCheck,
  isolationCheck,
  pictureDecodersCheck,
  clockCheck,
  publicAddressesCheck,
  foldersCheck,
  siteKeyCheck,
  limitsCheck,
];

const TIMEOUT_MS = 30_000;

export const doctor: AdminCommand = {
  name: 'doctor',
  usage: '[--json]',
  summary:
    'Check settings, engines, storage, tools, clock and addresses, and print what to do about problems.',
  async run(args, { print }) {
    const { json } = readArguments(args, { positions: [], options: [], flags: ['json'] });
    // The doctor checks all settings that the command gets.
    // eslint-disable-next-line no-restricted-properties
    const findings = await examine(CHECKS, process.env, TIMEOUT_MS);
    if (json) print(JSON.stringify({ healthy: !hasProblem(findings), findings }, null, 2));
    else findings.forEach((finding) => print(lineOf(finding)));
    const problems = findings.filter(({ state }) => state === 'problem').length;
    if (problems > 0)
      throw new CommandFailure(problems === 1 ? 'There is 1 problem.' : `There are ${problems} problems.`);
  },
};

const hasProblem = (findings: readonly Finding[]): boolean =>
  findings.some(({ state }) => state === 'problem');

const lineOf = ({ check, state, found, advice }: Finding): string =>
  `${state.padEnd(7)}  ${check.padEnd(10)}  ${found}${advice === undefined ? '' : ` — ${advice}`}`;
