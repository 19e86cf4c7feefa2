export { DatabaseConfig } from './connections/database.config';
export { DatabaseModule } from './database.module';
export { grantRows } from './migrate/grant-rows';
export {
  type MigrateOptions,
  MigrationBlockedError,
  readSchemaState,
  runMigrations,
  type SchemaState,
} from './migrate/migrate';
export type { Migration } from './migrations/migration';
export { PreparedReads, type ReadOptions, hiddenFromPlanner } from './reads/prepared-reads';
export {
  endingTransactionsWith,
  Transaction,
  TransactionRunner,
  violatedUniqueConstraint,
} from './transactions/transaction-runner';
export { withClient } from './connections/with-client';
