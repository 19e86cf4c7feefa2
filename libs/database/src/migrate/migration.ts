/** One step of the schema: plain SQL that runs once. A merged step is never edited. */
export interface Migration {
  /** Number and subject, e.g. `0001-post-language`; the order of names is the order of steps. */
  readonly name: string;
  readonly up: string;
  /**
   * `transaction` (the default): all or nothing, and tried again as a whole if it doesn't get its locks immediately. Its
   * locks last until it ends, so it changes one table in use only, and does that quickly.
   *
   * `alone`: one statement that PostgreSQL doesn't allow in a transaction and that blocks no others, such as
   * `create index concurrently`. If the process dies before the step is recorded, it runs again: see `repair`.
   *
   * `batches`: one statement with a `limit`, repeated in separate transactions until it changes no row. It must select
   * its next rows by what it has not changed yet.
   */
  readonly mode?: 'transaction' | 'alone' | 'batches';
  /** For `alone`: removes, before each attempt, what a failed attempt may have left: `drop index concurrently if exists …`. */
  readonly repair?: string;
}
