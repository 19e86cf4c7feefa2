import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventEnvelope, events } from '@vitrine/contracts';
import { queuesOf } from '@vitrine/messaging';
import { type AdminCommand, CommandFailure } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withBus } from '../command-line/contexts';

/** `npm run admin -- publish-examples`: what a consumer must handle, for teams that test theirs with a RabbitMQ of their own. */
export const publishExamples: AdminCommand = {
  name: 'publish-examples',
  usage: 'FOLDER',
  summary: 'Publish the examples of docs/events on a test broker: late, twice, and with unknown fields.',
  async run(args, { print }) {
    const { FOLDER } = readArguments(args, { positions: ['FOLDER'], options: [] });
    const examples = readExamples(FOLDER);
    const late = [...examples].sort((a, b) => sequenceOf(b) - sequenceOf(a));
    const messages = late.flatMap((example) => [
      example,
      example,
      {
        ...example,
        id: randomUUID(),
        added_later: true,
        data: { ...(example.data as object), added_later: [] },
      },
    ]);
    await withBus(async (transport) => {
      const internal = queuesOf(Object.values(events));
      if ((await transport.findUndeclared(internal)).length < internal.length)
        throw new CommandFailure('This is the bus of a Vitrine, whose services would act on the examples.');
      for (const message of messages) await transport.publish(message);
    });
    print(`Published ${messages.length} messages.`);
  },
};

function readExamples(folder: string): readonly EventEnvelope[] {
  const files = readdirSync(folder).filter((name) => /\.v\d+\.json$/.test(name));
  if (files.length === 0) throw new CommandFailure(`${folder} has no schemas of events.`);
  return files.flatMap(
    (name) =>
      (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { examples: EventEnvelope[] }).examples,
  );
}

const sequenceOf = ({ data }: EventEnvelope): number => (data as { sequence?: number }).sequence ?? 0;
