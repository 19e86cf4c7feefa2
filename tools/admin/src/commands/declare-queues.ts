import { events } from '@vitrine/contracts';
import { queuesOf } from '@vitrine/messaging';
import type { AdminCommand } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withBus } from '../command-line/contexts';

/** `npm run admin -- declare-queues`, for brokers whose users may declare only the queues of their own service. */
export const declareQueues: AdminCommand = {
  name: 'declare-queues',
  usage: '',
  summary: 'Declare the queues of this release on the bus; safe at any time.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    const queues = queuesOf(Object.values(events));
    await withBus((transport) => transport.declare(queues));
    print(`Declared ${queues.length} queues.`);
  },
};
