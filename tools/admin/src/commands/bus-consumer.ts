import { createHash, randomBytes } from 'node:crypto';
import { publicEvents } from '@vitrine/contracts';
import { type AdminCommand, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';

const EXCHANGE = 'vitrine.events';
/** A stream of the public events of the last days, for consumers that are new or lost something. */
const HISTORY = `${EXCHANGE}.history`;
const DAYS = 7;
const MAX_MESSAGES = 100_000;
const QUEUE_BYTES = 128 * 1024 * 1024;
const HISTORY_BYTES = 1024 * 1024 * 1024;
/** Old events are removed by whole segments. */
const SEGMENT_BYTES = 32 * 1024 * 1024;
/**
 * A few processes of a team. RabbitMQ has no limit of the prefetch, and keeps what it has sent to a client that doesn't read: 40
 * channels with the largest prefetch on the history took 2.5 GB, which is an alarm that stops every publisher (measured).
 */
const LIMITS = { 'max-connections': 5, 'max-channels': 5 };

/**
 * `npm run admin -- bus-consumer`: RabbitMQ's definitions of a user of another team. It may only read: its own queue, which
 * it can't declare, bind or delete, and the history. So it can't make a queue that refuses messages and thereby stops the
 * outbox.
 */
export const busConsumer: AdminCommand = {
  name: 'bus-consumer',
  usage: 'TEAM [--events TYPE,TYPE]',
  summary: 'Print what RabbitMQ must import so that another team can consume events; needs no bus.',
  async run(args, { print, complain }) {
    const { TEAM, events } = readArguments(args, { positions: ['TEAM'], options: ['events'] });
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(TEAM)) throw new UsageError('TEAM must be like search or cdn-purge.');
    const known: readonly string[] = Object.values(publicEvents).map(({ type }) => type);
    const chosen = events?.split(',') ?? known;
    const unknown = chosen.find((type) => !known.includes(type));
    if (unknown !== undefined) throw new UsageError(`${unknown} is no public event.`);

    const password = randomBytes(24).toString('base64url');
    print(JSON.stringify(definitionsOf(`external.${TEAM}`, password, known, chosen)));
    complain(`The user external.${TEAM} gets this password, which is not shown again: ${password}`);
  },
};

/** The definitions of one consumer. Importing them again changes nothing but the password. */
export function definitionsOf(
  name: string,
  password: string,
  known: readonly string[],
  chosen: readonly string[],
): object {
  const vhost = '/';
  const durable = { vhost, durable: true, auto_delete: false };
  const bind = (destination: string, type: string): object => ({
    ...{ source: EXCHANGE, vhost, destination, destination_type: 'queue' },
    ...{ routing_key: type, arguments: {} },
  });
  const own = name.replaceAll('.', '\\.');
  const history = HISTORY.replaceAll('.', '\\.');
  return {
    vhosts: [{ name: vhost }],
    users: [{ name, password_hash: hashOf(password), tags: '', limits: LIMITS }],
    permissions: [{ user: name, vhost, configure: '^$', write: '^$', read: `^(${own}|${history})$` }],
    policies: [
      {
        ...{ vhost, name: 'external', pattern: '^external\\.', 'apply-to': 'queues', priority: 1 },
        definition: {
          'message-ttl': DAYS * 86_400_000,
          'max-length': MAX_MESSAGES,
          'max-length-bytes': QUEUE_BYTES,
          overflow: 'drop-head',
        },
      },
    ],
    exchanges: [{ ...durable, name: EXCHANGE, type: 'topic', internal: false, arguments: {} }],
    queues: [
      { ...durable, name, arguments: { 'x-queue-type': 'quorum' } },
      {
        ...{ ...durable, name: HISTORY },
        arguments: {
          'x-queue-type': 'stream',
          'x-max-age': `${DAYS}D`,
          'x-max-length-bytes': HISTORY_BYTES,
          'x-stream-max-segment-size-bytes': SEGMENT_BYTES,
        },
      },
    ],
    bindings: [...chosen.map((type) => bind(name, type)), ...known.map((type) => bind(HISTORY, type))],
  };
}

/** RabbitMQ's form of a password: four bytes of salt, and the SHA-256 of salt and password. */
function hashOf(password: string): string {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, digest]).toString('base64');
}
