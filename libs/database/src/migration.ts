/** One step of the schema: plain SQL, run once in a transaction of its own, never edited once merged. */
export interface Migration {
  /** Number and subject, e.g. `0001_core`; the order of names is the order of steps. */
  readonly name: string;
  readonly up: string;
}
