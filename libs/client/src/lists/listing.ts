import { itemsOf, type Page, pagesOf } from './pages';
import type { AnswerOf, CallOptions, OperationId, QueryOf } from '../transport/transport';

/** Requests one page of a list. */
export type LoadPage<Answer, Query> = (
  query: Query | URLSearchParams,
  options: CallOptions | undefined,
) => Promise<Answer>;

/** A paginated list. */
export class Listing<Answer extends Page<unknown>, Query> {
  constructor(private readonly load: LoadPage<Answer, Query>) {}

  /** Returns one page. */
  list(query?: Query, options?: CallOptions): Promise<Answer> {
    return this.load(query ?? new URLSearchParams(), options);
  }

  /** Iterates over the pages, from `page` (default: the first) to the last. */
  pages(query?: Query, options?: CallOptions): AsyncGenerator<Answer, void, undefined> {
    return pagesOf(
      () => this.list(query, options),
      (search) => this.load(search, options),
    );
  }

  /** Iterates over all items of these pages: `for await (const post of client.posts.iterate({ tag: 'x' }))`. */
  iterate(query?: Query, options?: CallOptions): AsyncGenerator<Answer['data'][number], void, undefined> {
    return itemsOf<Answer['data'][number]>(this.pages(query, options));
  }
}

type Listed<Id extends OperationId, Answer> =
  Answer extends Page<unknown> ? Listing<Answer, QueryOf<Id>> : never;

/** The list that an operation returns. */
export type ListingOf<Id extends OperationId> = Listed<Id, AnswerOf<Id>>;
