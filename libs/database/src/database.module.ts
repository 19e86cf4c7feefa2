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
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { APPLICATION_NAME } from './application-name';
import { DatabaseConfig } from './database.config';
import { DatabaseMetrics } from './database-metrics';
import { PreparedReads } from './prepared-reads';
import { Replicas } from './replicas/replicas';
import { Watcher } from './replicas/watcher';
import { migrations } from './migrations';
import { endSilentConnections } from './silent-connections';
import { TransactionRunner } from './transaction-runner';

/** How long PostgreSQL may take to tell that it is there, in milliseconds. */
const READY_WITHIN_MS = 3000;

const APPLIED_MIGRATIONS = 'select array(select name from schema_migrations) as names';

@Module({ providers: [provideConfig(DatabaseConfig)], exports: [DatabaseConfig] })
class DatabaseConfigModule {}

/**
 * The connection pool, the replicas, the transaction runner and the readiness check; entities come with their
 * features' modules. Replicas aren't TypeORM's: it doesn't start while one is away, and asks one at random however old
 * its data are.
 */
@Module({})
export class DatabaseModule implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A pool that is full makes a process busy, and must not make all of them unready together. */
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
            // A database that is away is waited for; one that refuses the address or the password is told of at once.
            retryAttempts: Infinity,
            retryDelay: 1000,
            toRetry: isDatabaseOutage,
            verboseRetryLog: true,
            // pg reads bigint as text by default; ours stay far below 2^53.
            parseInt8: true,
            extra: { connectionTimeoutMillis: 5000, keepAlive: true, ...config.timeouts },
          }),
        }),
      ],
      providers: [
        { provide: APPLICATION_NAME, useValue: applicationName },
        Replicas,
        DatabaseMetrics,
        TransactionRunner,
        PreparedReads,
      ],
      exports: [TransactionRunner, PreparedReads, DatabaseConfigModule],
    };
  }

  constructor(
    dataSource: DataSource,
    private readonly health: Health,
    config: DatabaseConfig,
    @Inject(APPLICATION_NAME) applicationName: string,
  ) {
    const { master } = dataSource.driver as PostgresDriver;
    if (config.silenceMs > 0) endSilentConnections(master, config.silenceMs);
    const session = { connectionString: config.url, application_name: `${applicationName} watch` };
    this.watcher = new Watcher(session, READY_WITHIN_MS);
  }

  onApplicationBootstrap(): void {
    this.health.require('database', () => this.checkDatabase());
  }

  onApplicationShutdown(): void {
    this.watcher.close();
  }

  /** Throws where the database is away, or lacks a step of this release: a schema that was whole stays so. */
  private async checkDatabase(): Promise<void> {
    if (this.isMigrated) return void (await this.watcher.ask('select 1'));
    const { names } = await this.watcher.ask<{ names: string[] }>(APPLIED_MIGRATIONS);
    if (migrations.some(({ name }) => !names.includes(name))) throw new Error('Migrations are pending');
    this.isMigrated = true;
  }
}
