import { sitemapIndexOf, sitemapOf } from './sitemap';

describe('sitemapOf', () => {
  it('lists pages with their last modification and pictures', () => {
    expect(
      sitemapOf([
        { url: 'https://a.example/' },
        {
          url: 'https://a.example/p/x',
          changedAt: '2026-01-31T12:00:00.000Z',
          images: ['https://cdn.example/f/x_lg.jpg'],
        },
      ]).split('\n'),
    ).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      expect.stringMatching(/^<urlset /),
      '<url><loc>https://a.example/</loc></url>',
      '<url><loc>https://a.example/p/x</loc><lastmod>2026-01-31T12:00:00.000Z</lastmod><image:image><image:loc>https://cdn.example/f/x_lg.jpg</image:loc></image:image></url>',
      '</urlset>',
      '',
    ]);
  });

  it('escapes addresses', () => {
    const hostile = `https://a.example/t/<&'">]]>`;
    for (const text of [sitemapOf([{ url: hostile }]), sitemapIndexOf([hostile])]) {
      expect(text).toContain('<loc>https://a.example/t/&lt;&amp;&#39;&quot;&gt;]]&gt;</loc>');
    }
  });
});
