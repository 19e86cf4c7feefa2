import type { Readable } from 'node:stream';
import { inSpan } from '@vitrine/runtime';
import { Histogram, type Registry } from 'prom-client';
import {
  type ByteRange,
  type CheckedOutObject,
  type HeldObject,
  type HoldPurpose,
  type ObjectInfo,
  ObjectStorage,
  type Pieces,
} from './object-storage';
import { ObjectNotFoundError } from './storage-errors';

type OperationOutcome = 'ok' | 'absent' | 'failed';

/**
 * Wraps a storage: each operation is timed, counted by its outcome, and traced by a span. Reads are timed up to the first
 * byte; a failure after that counts as a failed operation `stream`.
 */
export class ObservedStorage extends ObjectStorage {
  private readonly seconds: Histogram<'operation' | 'outcome'>;

  constructor(
    private readonly storage: ObjectStorage,
    metrics: Registry,
  ) {
    super();
    this.seconds = new Histogram({
      name: 'vitrine_storage_operation_seconds',
      help: 'Operations of the storage by outcome: ok, absent (there is no such object), failed.',
      labelNames: ['operation', 'outcome'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [metrics],
    });
  }

  scratchDirectory(): Promise<string> {
    return this.storage.scratchDirectory();
  }

  moveIn(path: string, key: string): Promise<void> {
    return this.observe('move_in', () => this.storage.moveIn(path, key));
  }

  addNew(path: string, key: string): Promise<boolean> {
    return this.observe('add_new', () => this.storage.addNew(path, key));
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    return this.observe('put', () => this.storage.put(key, bytes));
  }

  head(key: string): Promise<ObjectInfo | null> {
    return this.observe(
      'head',
      () => this.storage.head(key),
      (info) => (info ? 'ok' : 'absent'),
    );
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return this.watched(await this.observe('open', () => this.storage.open(key, range)));
  }

  async hold(key: string, purpose?: HoldPurpose): Promise<HeldObject> {
    const held = await this.observe('hold', () => this.storage.hold(key, purpose));
    return {
      info: held.info,
      read: async (range) => this.watchedPieces(await this.observe('read', () => held.read(range))),
      close: () => held.close(),
    };
  }

  locateForProxy(key: string): Promise<string> {
    return this.storage.locateForProxy(key);
  }

  checkOut(key: string): Promise<CheckedOutObject> {
    return this.observe('check_out', () => this.storage.checkOut(key));
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.observe('delete', () => this.storage.delete(keys));
  }

  /** Only failures are counted, because the time of a listing depends on its caller. */
  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    try {
      yield* this.storage.list(prefix);
    } catch (error) {
      this.seconds.observe({ operation: 'list', outcome: 'failed' }, 0);
      throw error;
    }
  }

  abortStaleWrites(before: Date, mayContinue?: () => boolean): Promise<number> {
    return this.observe('abort_stale_writes', () => this.storage.abortStaleWrites(before, mayContinue));
  }

  close(): Promise<void> {
    return this.storage.close();
  }

  private observe<Result>(
    operation: string,
    work: () => Promise<Result>,
    outcomeOf: (result: Result) => OperationOutcome = () => 'ok',
  ): Promise<Result> {
    const stop = this.seconds.startTimer({ operation });
    return inSpan(`storage ${operation}`, { kind: 'client' }, async () => {
      try {
        const result = await work();
        stop({ outcome: outcomeOf(result) });
        return result;
      } catch (error) {
        stop({ outcome: error instanceof ObjectNotFoundError ? 'absent' : 'failed' });
        throw error;
      }
    });
  }

  private watched(bytes: Readable): Readable {
    return bytes.once('error', () => this.countBreak());
  }

  private async *watchedPieces(pieces: Pieces): Pieces {
    try {
      yield* pieces;
    } catch (error) {
      this.countBreak();
      throw error;
    }
  }

  private countBreak(): void {
    this.seconds.observe({ operation: 'stream', outcome: 'failed' }, 0);
  }
}
