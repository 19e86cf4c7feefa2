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

function replay(args: readonly string[], output: AdminOutput): Work {
  return args.includes('--all') ? replayAll(args, output) : replayOne(args, output);
}

function replayOne(args: readonly string[], { print }: AdminOutput): Work {
  const { ID } = readArguments(args, { positions: ['ID'], options: [] });
  return async (transport) => {
    const known = (await transport.listDeadLetters()).some(({ id }) => id === ID);
    if (known) await record('bus.replay', [ID]);
    if (!known || !(await transport.replayDeadLetter(ID))) {
      throw new CommandFailure(`There is no dead letter ${ID}.`);
    }
    print('Replayed 1 dead letter.');
  };
}

/** Replays the current dead letters, not those that appear meanwhile. */
function replayAll(args: readonly string[], { print }: AdminOutput): Work {
  const rest = args.filter((word) => word !== '--all');
  const { queue } = readArguments(rest, { positions: [], options: ['queue'] });
  return async (transport) => {
    const letters: readonly DeadLetter[] = await transport.listDeadLetters(queue);
    if (letters.length > 0)
      await record(
        'bus.replay',
        letters.map(({ id }) => id),
      );
    let replayed = 0;
    for (const { id } of letters) {
      if (await transport.replayDeadLetter(id)) replayed++;
    }
    print(`Replayed ${counted(replayed)}.`);
  };
}

const DAY_MS = 86_400_000;

/** Deletes dead letters for good; without `--yes`, lists them. */
function discard(args: readonly string[], { print }: AdminOutput): Work {
  const all = args.includes('--all');
  const given = readArguments(
    args.filter((word) => word !== '--all'),
    { positions: all ? [] : ['ID'], options: ['queue', 'older-than'], flags: ['yes'] },
  );
  const days = Number(given['older-than'] ?? 0);
  if (!(days >= 0)) throw new UsageError('DAYS must be a number.');
  return async (transport) => {
    const before = Date.now() - days * DAY_MS;
    const letters = (await transport.listDeadLetters(given.queue)).filter(
      ({ id, died_at }) => (all || id === given.ID) && Date.parse(died_at) <= before,
    );
    if (!all && letters.length === 0) throw new CommandFailure(`There is no dead letter ${given.ID}.`);
    if (!given.yes) {
      printAll(letters, print);
      return print(`Would discard ${counted(letters.length)}. Add --yes to do it.`);
    }
    if (letters.length > 0)
      await record(
        'bus.discard',
        letters.map(({ id }) => id),
      );
    let discarded = 0;
    for (const { id } of letters) if (await transport.discardDeadLetter(id)) discarded++;
    print(`Discarded ${counted(discarded)}.`);
  };
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
