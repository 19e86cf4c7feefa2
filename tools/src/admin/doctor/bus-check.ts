import { events } from '@vitrine/contracts';
import { createTransport, MessagingConfig, queuesOf } from '@vitrine/messaging';
import { loadConfig } from '@vitrine/runtime';
import type { Check } from './check';

/** With the time that closing may take, within that of the doctor: so it can say that it is the bus that is silent. */
const PATIENCE_MS = 7_000;

export const busCheck: Check = {
  name: 'bus',
  advice: 'See that the bus runs and that BUS_URL names it, its user and its password.',
  async run(environment, report) {
    const { url } = loadConfig(MessagingConfig, environment);
    const kind = /^amqps?:/i.test(url) ? 'RabbitMQ' : 'PostgreSQL';
    const transport = createTransport({ url, publishTimeoutMs: PATIENCE_MS }, 'doctor');
    try {
      await transport.probe();
      report.ok(`a message goes through ${kind} and comes back`);
      const queues = queuesOf(Object.values(events));
      const undeclared = await transport.findUndeclared(queues);
      if (undeclared.length > 0) {
        report.warn(
          `${undeclared.length} of ${queues.length} queues are not there yet, such as ${undeclared[0]}`,
          'Start the processes: each declares all queues when it boots.',
        );
      } else {
        report.ok(`all ${queues.length} queues are there`);
      }
      const depths = await Promise.all(queues.map(({ name }) => transport.depth(name)));
      const dead = depths.reduce((sum, depth) => sum + depth.dead, 0);
      if (dead > 0) {
        report.warn(`${dead} dead letters wait`, 'Look at them with: npm run admin -- dead-letters list');
      }
    } finally {
      await transport.close();
    }
  },
};
