export { DatabaseConfig } from './database.config';
export { DatabaseModule } from './database.module';
export { grantRows } from './grant-rows';
export {
  type MigrateOptions,
  MigrationBlockedError,
  readSchemaState,
  runMigrations,
  type SchemaState,
} from './migrate';
export type { Migration } from './migration';
export { PreparedReads, type ReadOptions, unseen } from './prepared-reads';
export {
  endingTransactionsWith,
  Transaction,
  TransactionRunner,
  violatedUniqueConstraint,
} from './transaction-runner';
export { withClient } from './with-client';
