import type { JSX } from 'preact';

interface PagerProps {
  readonly meta: { readonly current_page: number; readonly last_page: number };
  /** `links.next` and `links.prev` of the API's response. */
  readonly links: { readonly prev: string | null; readonly next: string | null };
  /** Path and query of this page. */
  readonly path: string;
  /** Query parameter with the number of the page. */
  readonly parameter?: string;
}

/** Links to the previous and the next page. They keep the seed of a random order. */
export function Pager({ meta, links, path, parameter = 'page' }: PagerProps): JSX.Element | null {
  if (links.prev === null && links.next === null) return null;
  const { current_page: current, last_page: last } = meta;
  return (
    <nav class="pager" aria-label="Pages">
      {links.prev !== null && (
        <a class="button" rel="prev" href={pagePath(path, parameter, current - 1, links.prev)}>
          Previous
        </a>
      )}
      <span>
        Page {current} of {last}
      </span>
      {links.next !== null && (
        <a class="button" rel="next" href={pagePath(path, parameter, current + 1, links.next)}>
          Next
        </a>
      )}
    </nav>
  );
}

/** Path of another page: the query of this page, with the page number and the seed from the API's link. */
function pagePath(path: string, parameter: string, page: number, apiLink: string): string {
  const url = new URL(path, 'http://here.invalid');
  if (page === 1) url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, String(page));
  const seed = new URL(apiLink).searchParams.get('seed');
  if (seed !== null) url.searchParams.set('seed', seed);
  return url.pathname + url.search;
}
