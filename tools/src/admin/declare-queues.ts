import { events } from '@vitrine/contracts';
import { queuesOf } from '@vitrine/messaging';
import type { AdminCommand } from './admin-command';
import { readArguments } from './arguments';
import { withBus } from './contexts';

/** `npm run admin -- declare-queues`, for brokers on which each service may declare only its own queues. */
export const declareQueues: AdminCommand = {
  name: 'declare-queues',
  usage: '',
  summary: 'Declare the queues of this release on the bus; safe at any time.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    const queues = queuesOf(Object.values(events));
    await withBus((transport) => transport.declare(queues));
    print(`${queues.length} queues are declared.`);
  },
};
