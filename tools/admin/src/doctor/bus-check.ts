import { events } from '@vitrine/contracts';
import { type MessageTransport, MessagingConfig, queuesOf } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { loadConfig } from '@vitrine/runtime';
import type { Check } from './check';

/** AMQP's reply code for a missing permission. */
const ACCESS_REFUSED = 403;

/** Shorter than the doctor's own limit, even with the time for closing, so that this check reports the silent bus. */
const PATIENCE_MS = 7_000;

export const busCheck: Check = {
  name: 'bus',
  advice: 'Check that the bus runs and that BUS_URL has its address, user and password.',
  async run(environment, report) {
    const { url } = loadConfig(MessagingConfig, environment);
    const kind = /^amqps?:/i.test(url) ? 'RabbitMQ' : 'PostgreSQL';
    const transport = createTransport({ url, publishTimeoutMs: PATIENCE_MS }, 'doctor');
    try {
      if (await mayProbe(transport)) report.ok(`a test message was sent and received through ${kind}`);
      else report.skip("this user may use only its own service's queues, so no test message was sent");
      const queues = queuesOf(Object.values(events));
      const undeclared = await transport.findUndeclared(queues);
      if (undeclared.length > 0) {
        report.warn(
          `${undeclared.length} of ${queues.length} queues do not exist yet, such as ${undeclared[0]}`,
          'Start the processes: each declares all queues when it boots.',
        );
      } else {
        report.ok(`all ${queues.length} queues exist`);
      }
      const depths = await Promise.all(queues.map(({ name }) => transport.depth(name)));
      const dead = depths.reduce((sum, depth) => sum + depth.dead, 0);
      if (dead > 0) {
        report.warn(`there are ${dead} dead letters`, 'List them with: npm run admin -- dead-letters list');
      }
    } finally {
      await transport.close();
    }
  },
};

/** Sends a test message through the bus. Returns false if the user may not declare the queue, like the user of a service. */
async function mayProbe(transport: MessageTransport): Promise<boolean> {
  try {
    await transport.probe();
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === ACCESS_REFUSED) return false;
    throw error;
  }
}
