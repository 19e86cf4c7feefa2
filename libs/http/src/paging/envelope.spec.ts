import fc from 'fast-check';
import { type PagePosition, presentPage, type RequestedAddress } from './envelope';

const address = (query: string): RequestedAddress => ({
  url: 'https://api.example.org/api/v1/posts',
  query,
});
const items = ({ page, limit, total }: PagePosition): null[] =>
  new Array<null>(Math.max(0, Math.min(limit, total - (page - 1) * limit))).fill(null);

describe('presentPage', () => {
  // Promise [lists]: A list has `data`, `links` and `meta`, with links to the first, last, previous and next
  // page.
  it('links to the neighbours of a page in the middle', () => {
    const position = { page: 2, limit: 10, total: 25 };
    expect(presentPage(items(position), position, address('page=2&tag=sun+set'))).toMatchObject({
      links: {
        first: 'https://api.example.org/api/v1/posts?page=1&tag=sun+set',
        last: 'https://api.example.org/api/v1/posts?page=3&tag=sun+set',
        prev: 'https://api.example.org/api/v1/posts?page=1&tag=sun+set',
        next: 'https://api.example.org/api/v1/posts?page=3&tag=sun+set',
      },
      meta: {
        current_page: 2,
        from: 11,
        to: 20,
        per_page: 10,
        total: 25,
        last_page: 3,
        path: 'https://api.example.org/api/v1/posts',
      },
    });
  });

  it('has null positions on an empty page, and no neighbours in an empty list', () => {
    const empty = presentPage([], { page: 1, limit: 10, total: 0 }, address(''));
    expect(empty.meta).toMatchObject({ from: null, to: null, last_page: 1, total: 0 });
    expect(empty.links).toMatchObject({ prev: null, next: null });
    const beyond = presentPage([], { page: 9, limit: 10, total: 25 }, address(''));
    expect(beyond.meta).toMatchObject({ current_page: 9, from: null, to: null, last_page: 3 });
    expect(beyond.links).toMatchObject({ prev: expect.stringContaining('page=3'), next: null });
  });

  // Promise [lists]: Links keep every parameter, also unknown ones.
  it('keeps every parameter in links, also unknown and repeated ones, and adds carried ones', () => {
    const position = { page: 1, limit: 1, total: 2 };
    const page = presentPage(items(position), position, address('visibility=public&a=1&a=2&sort=random'), {
      carry: { seed: '7' },
    });
    const next = new URL(page.links.next ?? '').searchParams;
    expect([
      next.get('visibility'),
      next.getAll('a'),
      next.get('sort'),
      next.get('seed'),
      next.get('page'),
    ]).toEqual(['public', ['1', '2'], 'random', '7', '2']);
  });

  // Promise [lists]: A client that follows `links.next` gets each item once.
  it('covers the whole list through `next`, each position once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), (total, limit) => {
        const seen: number[] = [];
        for (let page: number | null = 1; page !== null;) {
          const position: PagePosition = { page, limit, total };
          const { meta, links } = presentPage(items(position), position, address(''));
          if (meta.from !== null && meta.to !== null) {
            for (let at = meta.from; at <= meta.to; at++) seen.push(at);
          }
          page = links.next === null ? null : Number(new URL(links.next).searchParams.get('page'));
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      }),
    );
  });
});
