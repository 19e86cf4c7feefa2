import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Health, isDatabaseOutage, provideConfig } from '@vitrine/runtime';
import { DataSource } from 'typeorm';
import { Database, poolOf } from './access/database';
import { APPLICATION_NAME, readCommitted } from './connections/connections';
import { DatabaseConfig } from './connections/database.config';
import { DatabaseMetrics } from './database-metrics';
import { Replicas } from './replicas/replicas';
import { Watcher } from './replicas/watcher';
import { BASELINE, readMigrations } from './migrate/schema-files';
import { endSilentConnections } from './connections/silent-connections';

/** How long PostgreSQL may take to answer a readiness check. */
const READY_WITHIN_MS = 3000;
/** How long a connection stays without work: to open one costs both sides several milliseconds of processor time. */
const IDLE_MS = 45_000;

const APPLIED_MIGRATIONS = 'select array(select name from schema_migrations) as names';

@Module({ providers: [provideConfig(DatabaseConfig)], exports: [DatabaseConfig] })
class DatabaseConfigModule {}

/**
 * The connection pool, the replicas, `Database` and the readiness check; the modules of features bring their
 * entities. TypeORM's own replicas aren't used: it doesn't start while a replica is unreachable, and it asks a random one
 * regardless of its lag.
 */
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A separate connection, because a full pool must not make all processes unready together. */
  private readonly watcher: Watcher;
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
              onConnect: readCommitted,
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
    dataSource: DataSource,
    private readonly health: Health,
    config: DatabaseConfig,
    @Inject(APPLICATION_NAME) applicationName: string,
  ) {
    if (config.silenceMs > 0) endSilentConnections(poolOf(dataSource), config.silenceMs);
    const session = { connectionString: config.url, application_name: `${applicationName} watch` };
    this.watcher = new Watcher(session, READY_WITHIN_MS);
  }

  onApplicationBootstrap(): void {
    this.health.require('database', () => this.checkDatabase());
  }

  onApplicationShutdown(): void {
    this.watcher.close();
  }

  /** Throws if the database doesn't answer or lacks a step of this release. A complete schema stays complete. */
  private async checkDatabase(): Promise<void> {
    if (this.isMigrated) return void (await this.watcher.ask('select 1'));
    const { names } = await this.watcher.ask<{ names: string[] }>(APPLIED_MIGRATIONS);
    const needed = [BASELINE, ...readMigrations().map(({ name }) => name)];
    if (needed.some((name) => !names.includes(name))) throw new Error('Migrations are pending');
    this.isMigrated = true;
  }
}
