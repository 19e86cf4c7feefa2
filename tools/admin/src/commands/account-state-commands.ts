import type { AccountState } from '@vitrine/contracts';
import { AccountRulingRequest } from '@vitrine/contracts/api';
import { AccountRulings } from '@vitrine/domain';
import type { AdminCommand } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { checked } from '../command-line/checked';
import { withDomain } from '../command-line/contexts';
import { endOfDay } from '../command-line/end-of-day';

const RESTRICTING = {
  usage: 'NAME --reason R [--until DATE]',
  end: 'The account’s owner is told the reason. Without --until, the state does not end automatically.',
};

export const suspend: AdminCommand = {
  name: 'suspend',
  usage: RESTRICTING.usage,
  summary: `Suspend an account: it can't log in, and everything it has made is hidden. ${RESTRICTING.end}`,
  run: (args, { print }) => restrict('suspended', args, print),
};

export const limit: AdminCommand = {
  name: 'limit',
  usage: RESTRICTING.usage,
  summary: `Limit an account: its things are in no list, and it can't comment on others. ${RESTRICTING.end}`,
  run: (args, { print }) => restrict('limited', args, print),
};

export const restore: AdminCommand = {
  name: 'restore',
  usage: 'NAME [--reason R]',
  summary: 'Make a limited or suspended account active again.',
  async run(args, { print }) {
    const { NAME, reason } = readArguments(args, { positions: ['NAME'], options: ['reason'] });
    await rule(NAME, { state: 'active', ...(reason !== undefined && { reason }) });
    print(`${NAME} is active.`);
  },
};

async function restrict(
  state: AccountState,
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const { NAME, reason, until } = readArguments(args, { positions: ['NAME'], options: ['reason', 'until'] });
  const end = until === undefined ? undefined : endOfDay(until);
  await rule(NAME, {
    state,
    ...(reason !== undefined && { reason }),
    ...(end !== undefined && { until: end }),
  });
  print(`${NAME} is ${state}${end === undefined ? '' : ` until ${end}`}.`);
}

async function rule(username: string, fields: object): Promise<void> {
  const { state, reason = null, until = null } = checked(AccountRulingRequest, fields);
  await withDomain(async (context) => {
    await context.get(AccountRulings).rule(username, { state, reason, until, by: null });
  });
}
