import { events } from '@vitrine/contracts';
import { type DeadLetter, type MessageTransport, queuesOf } from '@vitrine/messaging';
import { type AdminCommand, type AdminOutput, CommandFailure, UsageError } from './admin-command';
import { readArguments } from './arguments';
import { withBus } from './contexts';

export const deadLetters: AdminCommand = {
  name: 'dead-letters',
  usage: 'list [--queue Q] | show ID | replay ID | replay --all [--queue Q]',
  summary: 'Look at messages that no try could handle, and send them on their way again.',
  async run([action, ...args], output) {
    const perform = { list, show, replay }[action ?? ''];
    if (!perform) throw new UsageError('Say what to do: list, show or replay.');
    const work = perform(args, output);
    await withBus(async (transport) => {
      // Only declared queues are looked through, and this process consumes none.
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
    if (!(await transport.replayDeadLetter(ID))) throw new CommandFailure(`There is no dead letter ${ID}.`);
    print('Replayed 1 dead letter.');
  };
}

/** Those that are dead now: one that dies again meanwhile is left for another time. */
function replayAll(args: readonly string[], { print }: AdminOutput): Work {
  const rest = args.filter((word) => word !== '--all');
  const { queue } = readArguments(rest, { positions: [], options: ['queue'] });
  return async (transport) => {
    const letters: readonly DeadLetter[] = await transport.listDeadLetters(queue);
    let replayed = 0;
    for (const { id } of letters) {
      if (await transport.replayDeadLetter(id)) replayed++;
    }
    print(replayed === 1 ? 'Replayed 1 dead letter.' : `Replayed ${replayed} dead letters.`);
  };
}
