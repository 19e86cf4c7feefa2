import { render } from 'preact-render-to-string';
import { RichText } from './rich-text';

const html = (text: string): string =>
  render(<RichText text={text} />).replace(/^<div class="rich-text">|<\/div>$/g, '');
const paragraph = (content: string): string => `<p dir="auto">${content}</p>`;
const link = (href: string, words = href): string =>
  `<a href="${href}" rel="nofollow ugc noopener">${words}</a>`;

describe('RichText', () => {
  it('keeps paragraphs and line breaks', () => {
    expect(html('One\ntwo\n\n \nthree\n')).toBe(paragraph('One<br/>two') + paragraph('three'));
  });

  it.each([
    ['http://example.org/', link('http://example.org/')],
    ['See https://example.org/a?b=1&c=2.', `See ${link('https://example.org/a?b=1&amp;c=2')}.`],
    ['(https://example.org/x_(y))', `(${link('https://example.org/x_(y)')})`],
    ['HTTPS://EXAMPLE.org/A', link('https://example.org/A', 'HTTPS://EXAMPLE.org/A')],
    [
      'https://a.example/ and https://b.example/',
      `${link('https://a.example/')} and ${link('https://b.example/')}`,
    ],
  ])('links %s', (text, expected) => {
    expect(html(text)).toBe(paragraph(expected));
  });

  it('links the usernames that it names', () => {
    const person = (name: string): string => `<a href="/u/${name}">@${name}</a>`;
    expect(html('(@ada) and @bob_2!')).toBe(paragraph(`(${person('ada')}) and ${person('bob_2')}!`));
  });

  it.each([
    '@ab',
    'x@ada',
    '@adaüber',
    'example.org',
    'ada@example.org',
    'mailto:ada@example.org',
    'ftp://example.org/',
    '//example.org/',
    'javascript:alert(1)',
    'JaVaScRiPt://example.org/%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
    'http://',
    'https://[/',
  ])('does not link %s', (text) => {
    expect(html(text)).toBe(paragraph(text));
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    'https://example.org/"onmouseover="alert(1)',
    "https://example.org/'><script>alert(1)</script>",
    'https://example.org/<svg/onload=alert(1)>',
    'https://"><script>alert(1)</script>',
  ])('renders %s as text, not as an element or attribute', (text) => {
    expect(
      html(text).replace(/<a href="[^"<>]*" rel="nofollow ugc noopener">|<\/a>|<\/?p( dir="auto")?>/g, ''),
    ).not.toContain('<');
  });
});
