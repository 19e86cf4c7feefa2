import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Health, provideConfig } from '@vitrine/runtime';
import { DataSource } from 'typeorm';
import { DatabaseConfig } from './database.config';
import { PreparedReads } from './prepared-reads';
import { TransactionRunner } from './transaction-runner';

@Module({ providers: [provideConfig(DatabaseConfig)], exports: [DatabaseConfig] })
class DatabaseConfigModule {}

/** The connection pool, the transaction runner and the readiness check; entities come with their features' modules. */
@Global()
@Module({
  imports: [
    DatabaseConfigModule,
    TypeOrmModule.forRootAsync({
      imports: [DatabaseConfigModule],
      inject: [DatabaseConfig],
      useFactory: (config: DatabaseConfig) => ({
        type: 'postgres' as const,
        url: config.url,
        poolSize: config.poolSize,
        autoLoadEntities: true,
        synchronize: false,
        installExtensions: false,
        retryAttempts: 10,
        retryDelay: 1000,
        // pg reads bigint as text by default; ours stay far below 2^53.
        parseInt8: true,
        extra: { connectionTimeoutMillis: 5000, keepAlive: true },
      }),
    }),
  ],
  providers: [TransactionRunner, PreparedReads],
  exports: [TransactionRunner, PreparedReads, DatabaseConfigModule],
})
export class DatabaseModule implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly health: Health,
  ) {}

  onApplicationBootstrap(): void {
    this.health.require('database', async () => {
      await this.dataSource.query('select 1');
    });
  }
}
