import { events } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { AuditLog } from '@vitrine/domain';
import { type DeadLetter, type MessageTransport, queuesOf } from '@vitrine/messaging';
import {
  type AdminCommand,
  type AdminOutput,
  CommandFailure,
  UsageError,
} from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withBus, withDomain } from '../command-line/contexts';

export const deadLetters: AdminCommand = {
  name: 'dead-letters',
  usage:
    'list [--queue Q] | show ID | replay ID | replay --all [--queue Q] | discard ID|--all [--queue Q] [--older-than DAYS] [--yes]',
  summary: 'List and show messages that failed in all attempts, send them again, or delete them.',
  async run([action, ...args], output) {
    const perform = { list, show, replay, discard }[action ?? ''];
    if (!perform) throw new UsageError('Expected list, show, replay or discard.');
    const work = perform(args, output);
    await withBus(async (transport) => {
      // Only queues that were declared on this transport are searched.
      await transport.declare(queuesOf(Object.values(events)));
      await work(transport);
    });
  },
};

type Work = (transport: MessageTransport) => Promise<void>;

function list(args: readonly string[], { print }: AdminOutput): Work {
  const { queue } = readArguments(args, { positions: [], options: ['queue'] });
  return async (transport) => {
    const letters = await transport.listDeadLetters(queue);
    printAll(letters, print);
    print(counted(letters.length));
  };
}

function printAll(letters: readonly DeadLetter[], print: AdminOutput['print']): void {
  for (const { id, queue, attempts, died_at, reason } of letters) {
    print(`${id}  ${died_at}  ${queue}  ${attempts} tries  ${reason.replaceAll(/\s+/g, ' ')}`);
  }
}

const counted = (letters: number): string => (letters === 1 ? '1 dead letter' : `${letters} dead letters`);

function show(args: readonly string[], { print }: AdminOutput): Work {
  const { ID } = readArguments(args, { positions: ['ID'], options: [] });
  return async (transport) => {
    const letter = (await transport.listDeadLetters()).find(({ id }) => id === ID);
    if (!letter) throw new CommandFailure(`There is no dead letter ${ID}.`);
    print(JSON.stringify(letter, null, 2));
  };
}

/** Replays the current dead letters that the arguments choose, not those that appear meanwhile. */
function replay(args: readonly string[], { print }: AdminOutput): Work {
  const { find } = readChoice(args);
  return async (transport) => {
    const letters = await find(transport);
    const replayed = await settle('bus.replay', letters, (id) => transport.replayDeadLetter(id));
    print(`Replayed ${counted(replayed)}.`);
  };
}

const DAY_MS = 86_400_000;

/** Deletes dead letters for good; without `--yes`, lists them. */
function discard(args: readonly string[], { print }: AdminOutput): Work {
  const { given, find } = readChoice(args, ['older-than'], ['yes']);
  const days = given['older-than'] ?? '0';
  if (!/^\d+$/.test(days)) throw new UsageError('DAYS must be a number.');
  return async (transport) => {
    const before = Date.now() - Number(days) * DAY_MS;
    const letters = (await find(transport)).filter(({ died_at }) => Date.parse(died_at) <= before);
    if (!given.yes) {
      printAll(letters, print);
      return print(`Would discard ${counted(letters.length)}. Add --yes to do it.`);
    }
    const discarded = await settle('bus.discard', letters, (id) => transport.discardDeadLetter(id));
    print(`Discarded ${counted(discarded)}.`);
  };
}

/** Reads `ID`, or `--all` and perhaps a queue. `find` gives these letters, and throws `CommandFailure` if an id is unknown. */
function readChoice(
  args: readonly string[],
  options: readonly 'older-than'[] = [],
  flags: readonly 'yes'[] = [],
) {
  const all = args.includes('--all');
  const given = readArguments(
    args.filter((word) => word !== '--all'),
    { positions: all ? [] : ['ID'], options: ['queue', ...options], flags },
  );
  const find = async (transport: MessageTransport): Promise<readonly DeadLetter[]> => {
    const letters = await transport.listDeadLetters(given.queue);
    const chosen = letters.filter(({ id }) => all || id === given.ID);
    if (!all && chosen.length === 0) throw new CommandFailure(`There is no dead letter ${given.ID}.`);
    return chosen;
  };
  return { given, find };
}

/** Records an action on letters, and carries it out; returns the number of letters that were still there. */
async function settle(
  action: 'bus.replay' | 'bus.discard',
  letters: readonly DeadLetter[],
  carryOut: (id: string) => Promise<boolean>,
): Promise<number> {
  const ids = letters.map(({ id }) => id);
  if (ids.length > 0) await record(action, ids);
  let settled = 0;
  for (const id of ids) if (await carryOut(id)) settled++;
  return settled;
}

/** The audit log names each letter up to this number of letters. */
const MAX_NAMED = 20;

/** Records the action before it happens: the bus takes no part in a transaction of the database. */
const record = (action: 'bus.replay' | 'bus.discard', ids: readonly string[]): Promise<void> =>
  withDomain((context) =>
    context.get(Database).transaction((tx) =>
      context.get(AuditLog).append(tx, {
        by: null,
        action,
        subject: { type: 'bus', id: null, name: ids.length === 1 ? ids[0]!.slice(0, 200) : 'several queues' },
        detail: { letters: ids.length, ids: ids.slice(0, MAX_NAMED).map((id) => id.slice(0, 100)) },
      }),
    ),
  );
