/** One page of a list, with links to the others. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly current_page: number; readonly last_page: number; readonly total: number };
}

/**
 * Iterates over the pages of a list, starting with the one that `first` returns. Each further page is requested with the
 * parameters of `links.next`, so `sort=random` keeps its order. The address stays the configured one: a token is never
 * sent to another host that a link names.
 */
export async function* pagesOf<Of extends Pick<Page<unknown>, 'links'>>(
  first: () => Promise<Of>,
  following: (search: URLSearchParams) => Promise<Of>,
): AsyncGenerator<Of, void, undefined> {
  let page = await first();
  yield page;
  while (page.links.next !== null) {
    page = await following(searchOf(page.links.next));
    yield page;
  }
}

/** Iterates over the items of pages. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<{ readonly data: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}

function searchOf(link: string): URLSearchParams {
  const mark = link.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : link.slice(mark + 1).split('#', 1)[0]);
}
