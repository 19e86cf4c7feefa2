import { parse, Setting } from '@vitrine/runtime';

/** The application's PostgreSQL database (15 or later). */
export class DatabaseConfig {
  @Setting({
    env: 'DATABASE_URL',
    why: 'PostgreSQL database of the service; npm start without it runs an embedded one.',
    parse: parse.url('postgresql', 'postgres'),
    example: 'postgresql://vitrine:secret@db.internal:5432/vitrine',
  })
  url!: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    why: 'Connections that one process may hold.',
    parse: parse.integer(1, 200),
    default: 10,
    example: '10',
  })
  poolSize!: number;
}
