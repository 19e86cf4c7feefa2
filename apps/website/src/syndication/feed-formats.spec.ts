import type { ListedPost, Media } from '@vitrine/client';
import fc from 'fast-check';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { SaxesParser } from 'saxes';
import { WRITERS } from './feed-formats';
import { entryOf, legalText, type SyndicatedFeed } from './syndicated-feed';

const feedOf = (text: string): SyndicatedFeed => ({
  title: text,
  page: 'https://site.example/',
  self: 'https://site.example/feed.atom?page=2',
  first: 'https://site.example/feed.atom',
  previous: 'https://site.example/feed.atom',
  next: 'https://site.example/feed.atom?page=3',
  icon: 'https://site.example/icon.png',
  updated: new Date('2026-01-31T12:00:00Z'),
  entries: [
    {
      url: 'https://site.example/p/aB3dE5f',
      title: text,
      html: `<p>${text}</p>`,
      published: new Date('2026-01-30T12:00:00Z'),
      updated: new Date('2026-01-31T12:00:00Z'),
      author: { name: 'ada', url: 'https://site.example/u/ada' },
      tags: [text],
      image: 'https://cdn.example/f/a_lg.jpg',
      enclosure: { url: 'https://cdn.example/f/a.jpg?x=1&y=2', type: 'image/jpeg', bytes: 12, seconds: null },
    },
  ],
});

/** Parses a document strictly, and returns the texts of its elements by name. Throws if it is not well-formed. */
function textsOf(xml: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    open.push(name);
    (texts[name] ??= []).push('');
  });
  parser.on('closetag', () => void open.pop());
  const add = (text: string): void => {
    const list = texts[open.at(-1) ?? ''];
    if (list) list[list.length - 1] += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(xml).close();
  return texts;
}

const HOSTILE = [
  '<script>alert(1)</script>',
  ']]>',
  ']]]]>><![CDATA[',
  '&amp;&lt;&#0;&nbsp;&undefined;',
  '<!--',
  '<?xml version="1.0"?>',
  '"\'`=/',
  '\u0000\u0001\u0008\u000b\u000c\u001f',
  '\ud800 alone',
  '\ufffe\uffff',
  '\u0085\u2028',
  '😀 العربية',
];

describe('Atom', () => {
  it.each(HOSTILE)(
    'is well-formed with the text %j, and holds it unchanged except for illegal characters',
    (text) => {
      const legal = `(${legalText(text)})`;
      const { title, content } = textsOf(WRITERS.atom(feedOf(legal)));
      expect(title?.map((one) => one.trim())).toEqual([legal.trim(), legal.trim()]);
      expect(content?.[0]?.trim()).toBe(`<p>${legal}</p>`);
    },
  );

  it('is well-formed with any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        textsOf(WRITERS.atom(feedOf(legalText(text))));
      }),
    );
  });

  it('is refused by the parser of these tests if illegal characters stay', () => {
    expect(() => textsOf(WRITERS.atom(feedOf('\u0001')))).toThrow();
  });

  it('has what a reader needs, and links to its neighbours', () => {
    const feed = parseAtomFeed(WRITERS.atom(feedOf('Harbour <3')));
    expect(feed).toMatchObject({
      id: 'https://site.example/feed.atom',
      title: { value: 'Harbour <3' },
      updated: '2026-01-31T12:00:00.000Z',
      entries: [
        {
          id: 'https://site.example/p/aB3dE5f',
          title: { value: 'Harbour <3' },
          published: '2026-01-30T12:00:00.000Z',
          updated: '2026-01-31T12:00:00.000Z',
          authors: [{ name: 'ada', uri: 'https://site.example/u/ada' }],
          categories: [{ term: 'Harbour <3' }],
          links: [
            { rel: 'alternate', href: 'https://site.example/p/aB3dE5f', type: 'text/html' },
            { rel: 'enclosure', href: 'https://cdn.example/f/a.jpg?x=1&y=2', type: 'image/jpeg', length: 12 },
          ],
        },
      ],
    });
    expect(Object.fromEntries((feed.links ?? []).map(({ rel, href }) => [rel, href]))).toEqual({
      self: 'https://site.example/feed.atom?page=2',
      alternate: 'https://site.example/',
      first: 'https://site.example/feed.atom',
      previous: 'https://site.example/feed.atom',
      next: 'https://site.example/feed.atom?page=3',
    });
  });
});

describe('JSON Feed', () => {
  it.each(HOSTILE)('holds the text %j', (text) => {
    const legal = `(${legalText(text)})`;
    expect(JSON.parse(WRITERS.json(feedOf(legal)))).toMatchObject({
      items: [{ content_html: `<p>${legal}</p>` }],
    });
  });

  it('has what a reader needs, and the address of the next page', () => {
    expect(parseJsonFeed(WRITERS.json(feedOf('Harbour <3')))).toMatchObject({
      title: 'Harbour <3',
      home_page_url: 'https://site.example/',
      next_url: 'https://site.example/feed.atom?page=3',
      items: [
        {
          id: 'https://site.example/p/aB3dE5f',
          url: 'https://site.example/p/aB3dE5f',
          title: 'Harbour <3',
          date_published: '2026-01-30T12:00:00.000Z',
          attachments: [
            { url: 'https://cdn.example/f/a.jpg?x=1&y=2', mime_type: 'image/jpeg', size_in_bytes: 12 },
          ],
        },
      ],
    });
  });
});

describe('entryOf', () => {
  const post = {
    slug: 'aB3dE5f',
    title: null,
    description: null,
    pending_on: null,
    first_media: null,
    user: null,
    tags: [],
    created_at: '2026-01-30T12:00:00.000Z',
    updated_at: '2026-01-31T12:00:00.000Z',
  } as unknown as ListedPost;

  it.each([null, '', ' ', '\u0001', '\ud800'])('always has a title, also for %j', (title) => {
    expect(entryOf({ ...post, title }, 'https://site.example').title).toBe('Untitled');
  });

  it('escapes markup in the description, and keeps its lines', () => {
    const { html } = entryOf({ ...post, description: 'One <b>\ntwo\n\nthree\u0000' }, 'https://site.example');
    expect(html).toBe('<p>One &lt;b&gt;<br>two</p><p>three</p>');
  });

  it.each([
    ['image/png', 'png', 'png', { url: 'a.png', type: 'image/png', bytes: 9 }],
    ['image/heic', 'heic', 'jpg', { url: 'a_xl.jpg', type: 'image/jpeg', bytes: null }],
    ['image/jxl', 'jxl', 'png', { url: 'a_xl.png', type: 'image/png', bytes: null }],
    ['video/webm', 'webm', 'mp4', { url: 'a.webm', type: 'video/webm', bytes: 9 }],
    ['video/x-matroska', 'mkv', 'mp4', { url: 'a_xl.mp4', type: 'video/mp4', bytes: null }],
  ])('encloses what readers can show of %s', (type, ext, size, enclosure) => {
    const urls = { original: `a.${ext}`, thumb: 'a_thumb.jpg', lg: `a_lg.${size}`, xl: `a_xl.${size}` };
    const media = { type, ext, size: 9, duration: null, urls, moderation_status: 'approved' };
    const entry = entryOf({ ...post, first_media: media as unknown as Media }, 'https://site.example');
    expect(entry.enclosure).toEqual({ ...enclosure, seconds: null });
  });
});
