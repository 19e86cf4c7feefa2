/** One page of a list, and where the others are. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly current_page: number; readonly last_page: number; readonly total: number };
}

/**
 * The pages of a list, from the first one asked for to the last. Each is asked for with the parameters that
 * `links.next` of the one before carries (so `sort=random` keeps its order), at the address that the client was
 * given: a token never follows a link to another host.
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

/** The items of all these pages. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<{ readonly data: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}

function searchOf(link: string): URLSearchParams {
  const mark = link.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : link.slice(mark + 1).split('#', 1)[0]);
}
