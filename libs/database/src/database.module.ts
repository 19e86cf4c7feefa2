import { type DynamicModule, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Health, isDatabaseOutage, provideConfig } from '@vitrine/runtime';
import { DataSource } from 'typeorm';
import { Database, poolOf } from './access/database';
import { APPLICATION_NAME } from './connections/connections';
import { DatabaseConfig } from './connections/database.config';
import { DatabaseMetrics } from './database-metrics';
import { Replicas } from './replicas/replicas';
import { BASELINE, readMigrations } from './migrate/schema-files';
import { endSilentConnections } from './connections/silent-connections';

/** How long a connection stays without work: to open one costs both sides several milliseconds of processor time. */
const IDLE_MS = 45_000;

interface State {
  readonly names: readonly string[];
  readonly isolation: string;
}

const STATE = `select array(select name from schema_migrations) as names,
  current_setting('default_transaction_isolation') as isolation`;

@Module({ providers: [provideConfig(DatabaseConfig)], exports: [DatabaseConfig] })
class DatabaseConfigModule {}

/**
 * The connection pool, the replicas, `Database` and the readiness check; the modules of features bring their
 * entities. TypeORM's own replicas aren't used: it doesn't start while a replica is unreachable, and it asks a random one
 * regardless of its lag.
 */
@Module({})
export class DatabaseModule implements OnApplicationBootstrap {
  private readonly logger = new Logger(DatabaseModule.name);
  private isMigrated = false;

  /** `service` names the process's sessions: `vitrine-<service>` in `pg_stat_activity`. */
  static forService(service: string): DynamicModule {
    const applicationName = `vitrine-${service}`;
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        DatabaseConfigModule,
        TypeOrmModule.forRootAsync({
          imports: [DatabaseConfigModule],
          inject: [DatabaseConfig],
          useFactory: (config: DatabaseConfig) => ({
            type: 'postgres' as const,
            url: config.url,
            applicationName,
            poolSize: config.poolSize,
            autoLoadEntities: true,
            synchronize: false,
            installExtensions: false,
            // It waits for a database that is unreachable; a refused address or password fails immediately.
            retryAttempts: Infinity,
            retryDelay: 1000,
            toRetry: isDatabaseOutage,
            verboseRetryLog: true,
            // pg reads bigint as text by default; our values stay far below 2^53.
            parseInt8: true,
            extra: {
              connectionTimeoutMillis: 5000,
              idleTimeoutMillis: IDLE_MS,
              keepAlive: true,
              ...config.timeouts,
            },
          }),
        }),
      ],
      providers: [
        { provide: APPLICATION_NAME, useValue: applicationName },
        Replicas,
        DatabaseMetrics,
        Database,
      ],
      exports: [Database, DatabaseConfigModule],
    };
  }

  constructor(
    private readonly dataSource: DataSource,
    private readonly health: Health,
    config: DatabaseConfig,
  ) {
    if (config.silenceMs > 0) endSilentConnections(poolOf(dataSource), config.silenceMs);
  }

  onApplicationBootstrap(): void {
    this.health.require('database', () => this.checkDatabase());
  }

  /**
   * Throws until the database has answered once with all steps of this release. Later outages make no process unready: they
   * are the same for all, and a load balancer without ready processes would answer instead of the 503 of the process.
   */
  private async checkDatabase(): Promise<void> {
    if (this.isMigrated) return;
    const { rows } = await poolOf(this.dataSource).query<State>(STATE);
    const { names = [], isolation } = rows[0] ?? {};
    // Neither transactions nor sessions set it: that would cost a statement, and a pooler mixes sessions.
    if (isolation !== 'read committed') {
      const message = `default_transaction_isolation of the database is "${isolation}" and must be "read committed"`;
      this.logger.warn(message);
      throw new Error(message);
    }
    const needed = [BASELINE, ...readMigrations().map(({ name }) => name)];
    if (needed.some((name) => !names.includes(name))) throw new Error('Migrations are pending');
    this.isMigrated = true;
  }
}
