import { type Environment, parse, Setting } from '@vitrine/runtime';

const POSITIVE = parse.integer(1, 86_400_000);

/** A broker may be named without a path; a database can't. */
const busUrl = (raw: string): string => {
  const url = parse.url('amqp', 'amqps', 'postgresql', 'postgres')(raw);
  return /^amqp/i.test(url) ? url : parse.postgresUrl(url);
};

/** Where the bus is, and how patient its consumers are. */
export class MessagingConfig {
  @Setting({
    env: 'BUS_URL',
    why: 'The bus: RabbitMQ (amqp://, amqps://), or the bus schema of a PostgreSQL database; DATABASE_URL when unset.',
    parse: busUrl,
    default: databaseUrl,
    example: 'amqp://vitrine:secret@rabbitmq.internal:5672',
  })
  url!: string;

  @Setting({
    env: 'BUS_RETRY_DELAYS_MS',
    why: 'Milliseconds before each further try of a failed message; one try more than delays, then the dead letters.',
    parse: delays,
    default: [1_000, 5_000, 25_000, 120_000],
    example: '1000,5000,25000,120000',
  })
  retryDelaysMs!: readonly number[];

  @Setting({
    env: 'BUS_PUBLISH_TIMEOUT_MS',
    why: 'Milliseconds that a publication waits for the broker and its confirmation.',
    parse: POSITIVE,
    default: 10_000,
    example: '10000',
  })
  publishTimeoutMs!: number;
}

function databaseUrl(env: Environment): string {
  const url = env['DATABASE_URL']?.trim();
  if (!url) throw new Error('is not set, nor is DATABASE_URL');
  return url;
}

function delays(raw: string): readonly number[] {
  try {
    return parse.list(raw).map(POSITIVE);
  } catch {
    throw new Error('milliseconds separated by commas');
  }
}
