import { events } from '@vitrine/contracts';
import { createTransport, type MessageTransport, MessagingConfig, queuesOf } from '@vitrine/messaging';
import { loadConfig } from '@vitrine/runtime';
import type { Check } from './check';

/** AMQP's reply code to a user without the right. */
const ACCESS_REFUSED = 403;

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
      if (await mayProbe(transport)) report.ok(`a message goes through ${kind} and comes back`);
      else report.skip("this user may only use its own service's queues, so no message was sent");
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

/** Sends a message through the bus. False if the user may not declare the queue for it, as the user of a service. */
async function mayProbe(transport: MessageTransport): Promise<boolean> {
  try {
    await transport.probe();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === ACCESS_REFUSED) return false;
    throw error;
  }
}
