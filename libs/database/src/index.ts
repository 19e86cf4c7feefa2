export { DatabaseConfig } from './database.config';
export { DatabaseModule } from './database.module';
export { runMigrations } from './migrate';
export type { Migration } from './migration';
export { PreparedReads, unseen } from './prepared-reads';
export {
  endingTransactionsWith,
  sqlState,
  Transaction,
  TransactionRunner,
  violatedUniqueConstraint,
} from './transaction-runner';
