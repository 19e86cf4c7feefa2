/** One step of the schema: plain SQL, run once, never edited once merged. */
export interface Migration {
  /** Number and subject, e.g. `0001_core`; the order of names is the order of steps. */
  readonly name: string;
  readonly up: string;
  /**
   * `transaction` (the default): all or nothing, and tried again as a whole where its locks are not to be had at
   * once. What it locks stays locked until it ends, so it touches one table in use, and does quick things to it.
   *
   * `alone`: one statement that PostgreSQL refuses within a transaction and that keeps nobody waiting, such as
   * `create index concurrently`. A run that dies after it and before its record repeats it: see `repair`.
   *
   * `batches`: one statement with a `limit` of its own, repeated, each time in a transaction of its own, until it
   * changes no row. It must find its next rows by what it has not changed yet.
   */
  readonly mode?: 'transaction' | 'alone' | 'batches';
  /** Of `alone`: takes away what a failed try may have left, before each try; `drop index concurrently if exists …`. */
  readonly repair?: string;
}
