import { AsyncLocalStorage } from 'node:async_hooks';
import { Batches } from '@vitrine/concurrency';
import { type Database, runLastStatement, type Transaction } from '@vitrine/database';
import { OutageError } from '@vitrine/runtime';
import { DomainError } from '../errors/domain-error';

/** Runs work with the correlation id, the trace and the last statement of a request. */
export type RequestContext = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** What a request wants in a shared transaction. */
export interface SharedRequest<Item> {
  readonly item: Item;
  readonly inContext: RequestContext;
}

const outsideRequests = AsyncLocalStorage.snapshot();
const MAX_REQUESTS = 50;

/**
 * Transactions of requests that lock the same row, such as votes on one post: while one runs, others wait in memory and then
 * share the next one. So the row's rate isn't bounded by the wait for the disk and the standbys, during which it is locked.
 */
export class SharedTransactions<Item, Outcome> {
  private readonly batches = new Batches<SharedRequest<Item>, Outcome>(MAX_REQUESTS, (requests) =>
    this.carryOut(requests),
  );

  /**
   * `work` returns the outcomes in the order of the requests; an error is the refusal of one request, which must have changed
   * nothing.
   */
  constructor(
    private readonly database: Database,
    private readonly work: (
      tx: Transaction,
      requests: readonly SharedRequest<Item>[],
    ) => Promise<readonly (Outcome | Error)[]>,
  ) {}

  /** Carries out the request that is handled here; `key` names the row. Throws its refusal, or what the transaction throws. */
  run(key: string, item: Item): Promise<Outcome> {
    return this.batches.run(key, { item, inContext: AsyncLocalStorage.snapshot() });
  }

  private async carryOut(requests: readonly SharedRequest<Item>[]): Promise<readonly (Outcome | Error)[]> {
    if (requests.length > 1) {
      try {
        return await outsideRequests(() => this.carryOutTogether(requests));
      } catch (error) {
        // One of the requests can't be completed. After any other error, the transaction may have been committed.
        if (!(error instanceof DomainError)) throw error;
      }
    }
    const outcomes: (Outcome | Error)[] = [];
    let outage: OutageError | undefined;
    for (const request of requests) {
      const outcome = outage ?? (await this.carryOutAlone(request));
      // If the database doesn't answer, the others need not find out one after the other.
      if (outcome instanceof OutageError) outage = outcome;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  private carryOutTogether(requests: readonly SharedRequest<Item>[]): Promise<readonly (Outcome | Error)[]> {
    return this.database.transaction(async (tx) => {
      const outcomes = await this.work(tx, requests);
      for (const [at, { inContext }] of requests.entries()) {
        if (!(outcomes[at] instanceof Error)) await inContext(runLastStatement, tx);
      }
      return outcomes;
    });
  }

  private async carryOutAlone(request: SharedRequest<Item>): Promise<Outcome | Error> {
    try {
      return await request.inContext(() =>
        this.database.transaction(async (tx) => {
          const [outcome] = await this.work(tx, [request]);
          if (outcome instanceof Error) throw outcome;
          return outcome!;
        }),
      );
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** Runs the checks of one request of a shared transaction. Returns the `DomainError` that they throw. */
export async function refusalOf(check: () => Promise<void>): Promise<DomainError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
