import { parse, PublicUrlsConfig, Setting } from '@vitrine/runtime/standalone';

/** The settings of `npm start` itself; every process reads its own settings. */
export class SupervisorConfig extends PublicUrlsConfig {
  @Setting({
    env: 'VITRINE_DATA_DIR',
    why: 'Folder of the embedded database, the stored files and the secrets of npm start, and of temporary files if the files are in a bucket.',
    parse: parse.text,
    default: '.data',
    example: '/var/lib/vitrine',
  })
  dataFolder!: string;

  @Setting({
    env: 'API_PORT',
    why: 'Public port of the API.',
    parse: parse.port,
    default: 3000,
    example: '3000',
  })
  apiPort!: number;

  @Setting({
    env: 'UPLOAD_PORT',
    why: 'Port of the upload endpoint and of the files.',
    parse: parse.port,
    default: 3001,
    example: '3001',
  })
  uploadPort!: number;

  @Setting({
    env: 'SITE_PORT',
    why: 'Port of the website.',
    parse: parse.port,
    default: 3002,
    example: '3002',
  })
  sitePort!: number;

  @Setting({
    env: 'MANAGEMENT_PORT',
    why: 'Port of /health/live, /health/ready and /metrics; npm start gives it and the next four to its processes.',
    parse: parse.integer(1, 65_531),
    default: 9100,
    example: '9100',
  })
  managementPort!: number;

  @Setting({
    env: 'MANAGEMENT_HOST',
    why: 'Address that the management port listens on; loopback keeps it private.',
    parse: parse.text,
    default: '127.0.0.1',
    example: '0.0.0.0',
  })
  managementHost!: string;

  @Setting({
    env: 'STOP_TIMEOUT_SECONDS',
    why: 'Seconds that a stopping process may take to finish its work.',
    parse: parse.integer(1, 3600),
    default: 25,
    example: '25',
  })
  stopTimeoutSeconds!: number;

  @Setting({
    env: 'DATABASE_URL',
    why: 'PostgreSQL database of the service; npm start without it runs an embedded one.',
    parse: parse.postgresUrl,
    default: '',
    example: 'postgresql://vitrine:secret@db.internal:5432/vitrine',
  })
  databaseUrl!: string;

  @Setting({
    env: 'BUS_URL',
    why: 'The bus: RabbitMQ (amqp://, amqps://), or the bus schema of a PostgreSQL database; unset: DATABASE_URL.',
    parse: parse.url('amqp', 'amqps', 'postgresql', 'postgres'),
    default: '',
    example: 'amqp://vitrine:secret@rabbitmq.internal:5672',
  })
  busUrl!: string;

  @Setting({
    env: 'SITE_SERVICE_KEY',
    why: 'Secret with which the website proves its identity, so that the visitor address it passes on is trusted; unset: it never is.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
  })
  siteServiceKey!: string;
}
