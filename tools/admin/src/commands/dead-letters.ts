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
  usage: 'list [--queue Q] | show ID | replay ID | replay --all [--queue Q]',
  summary: 'List and show messages that failed in all attempts, and send them again.',
  async run([action, ...args], output) {
    const perform = { list, show, replay }[action ?? ''];
    if (!perform) throw new UsageError('Expected list, show or replay.');
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
    for (const { id, queue, attempts, died_at, reason } of letters) {
      print(`${id}  ${died_at}  ${queue}  ${attempts} tries  ${reason.replaceAll(/\s+/g, ' ')}`);
    }
    print(letters.length === 1 ? '1 dead letter' : `${letters.length} dead letters`);
  };
}

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
    if (known) await recordReplay([ID]);
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
    if (letters.length > 0) await recordReplay(letters.map(({ id }) => id));
    let replayed = 0;
    for (const { id } of letters) {
      if (await transport.replayDeadLetter(id)) replayed++;
    }
    print(replayed === 1 ? 'Replayed 1 dead letter.' : `Replayed ${replayed} dead letters.`);
  };
}

/** The audit log names each letter up to this number of letters. */
const MAX_NAMED = 20;

/** Records the replay before it happens: the bus takes no part in a transaction of the database. */
const recordReplay = (ids: readonly string[]): Promise<void> =>
  withDomain((context) =>
    context.get(Database).transaction((tx) =>
      context.get(AuditLog).append(tx, {
        by: null,
        action: 'bus.replay',
        subject: { type: 'bus', id: null, name: ids.length === 1 ? ids[0]!.slice(0, 200) : 'several queues' },
        detail: { letters: ids.length, ids: ids.slice(0, MAX_NAMED).map((id) => id.slice(0, 100)) },
      }),
    ),
  );
