import { type Environment, parse, Setting } from '@vitrine/runtime';

const POSITIVE = parse.integer(1, 86_400_000);

/** Whether a bus URL names RabbitMQ; otherwise it names a PostgreSQL. */
export const isRabbitMqUrl = (url: string): boolean => /^amqps?:/i.test(url);

/** The URL of a broker may have no path; the URL of a database needs one. */
const busUrl = (raw: string): string => {
  const url = parse.url('amqp', 'amqps', 'postgresql', 'postgres')(raw);
  return isRabbitMqUrl(url) ? url : parse.postgresUrl(url);
};

/** The address of the bus, and its retry delays and timeouts. */
export class MessagingConfig {
  @Setting({
    env: 'BUS_URL',
    secret: true,
    why: 'The bus: RabbitMQ (amqp://, amqps://), or the bus schema of a PostgreSQL database; unset: DATABASE_LISTEN_URL.',
    parse: busUrl,
    default: databaseUrl,
    example: 'amqp://vitrine:secret@rabbitmq.internal:5672',
  })
  url!: string;

  @Setting({
    env: 'BUS_RETRY_DELAYS_MS',
    why: 'Milliseconds before each retry of a failed message; after the last retry it becomes a dead letter.',
    parse: delays,
    default: [1_000, 5_000, 25_000, 120_000],
    example: '1000,5000,25000,120000',
  })
  retryDelaysMs!: readonly number[];
}

/** A consumer is a session, which a transaction pooler would not keep. */
function databaseUrl(env: Environment): string {
  const url = env['DATABASE_LISTEN_URL']?.trim() || env['DATABASE_URL']?.trim();
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
