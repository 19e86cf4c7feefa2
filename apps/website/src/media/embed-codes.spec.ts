import type { Media } from '@vitrine/client';
import fc from 'fast-check';
import { embedCodes, embedSizes, imageAttributes } from './embed-codes';

const url = (name: string): string => `https://files.example/f/${name}`;
const picture: Media = {
  id: 7,
  slug: 'aB3dE5f',
  filename: 'aB3dE5f',
  title: null,
  description: null,
  alt_text: null,
  type: 'image/png',
  ext: 'png',
  size: 1000,
  width: 640,
  height: 480,
  duration: null,
  animated: false,
  moderation_status: 'approved',
  pending_on: null,
  processed: true,
  processing_error: null,
  processing_progress: null,
  thumbhash: null,
  tags: [],
  page_url: 'https://site.example/m/aB3dE5f',
  created_at: '2026-11-01T00:00:00.000Z',
  user: null,
  urls: {
    original: url('aB3dE5f.png'),
    thumb: url('aB3dE5f_xs.png'),
    xs: url('aB3dE5f_xs.png'),
    sm: url('aB3dE5f_sm.png'),
    md: url('aB3dE5f_md.png'),
    lg: url('aB3dE5f_lg.png'),
    xl: url('aB3dE5f_xl.png'),
  },
};
const video: Media = { ...picture, type: 'video/mp4', ext: 'mp4', duration: 3 };
const site = 'https://site.example';
const page = `${site}/p/aaaaaa1`;

const htmlOf = (name: string, alt: string, largest: number): string => {
  const edges = Object.entries({ xs: 160, sm: 320, md: 640, lg: 1280 }).filter(
    ([, width]) => width <= largest,
  );
  const sources = edges.map(([size, width]) => `${url(`aB3dE5f_${size}.png`)} ${width}w`);
  return `<img src="${url(name)}" width="${largest}" height="${largest * 0.75}" sizes="(max-width: ${largest}px) 100vw, ${largest}px" srcset="${sources.join(', ')}" alt="${alt}" style="max-width: 100%; height: auto">`;
};

const codesOf = (media: Media, alt: string, link: string | null = page): Record<string, string> =>
  Object.fromEntries(embedCodes(media, { page: link, alt, site }).map(({ name, code }) => [name, code]));

describe('embed codes', () => {
  // Promise [website]: Embed codes exist as link, HTML, Markdown and BBCode.
  it('show a picture with a link to its page', () => {
    expect(codesOf(picture, 'A dog')).toEqual({
      'Direct link': url('aB3dE5f.png'),
      HTML: `<a href="${page}">${htmlOf('aB3dE5f.png', 'A dog', 640)}</a>`,
      Markdown: `[![A dog](${url('aB3dE5f.png')})](${page})`,
      BBCode: `[url=${page}][img]${url('aB3dE5f.png')}[/img][/url]`,
    });
  });

  // Promise [website]: Embed codes have a middle size unless another is chosen; browsers may load a smaller or sharper one.
  it('offer the sizes that are smaller than the original, and begin with a middle one', () => {
    const large = { ...picture, width: 4000, height: 3000, size: 9_000_000 };
    expect(embedSizes(large).map(({ name, width }) => `${name} ${width}`)).toEqual([
      'Thumbnail 320',
      'Small 640',
      'Medium 1280',
      'Large 1920',
      'Original 4000',
    ]);
    expect(embedSizes({ ...large, ext: 'heic' }).at(-1)).toMatchObject({ name: 'Large', width: 1920 });
    const codes = codesOf(large, 'A dog');
    expect(codes['Markdown']).toBe(`[![A dog](${url('aB3dE5f_lg.png')})](${page})`);
    expect(codes['HTML']).toMatch(/src="[^"]*_lg.png" width="1280" height="960" .*_xl.png 1920w" alt/);
    // Browsers would load a smaller file instead of the original that was chosen.
    const [original, small] = [embedSizes(large).at(-1)!, embedSizes({ ...large, size: 1_000_000 }).at(-1)!];
    expect(imageAttributes(original)).toBe(`src="${url('aB3dE5f.png')}" width="4000" height="3000"`);
    expect(imageAttributes(small)).toContain(`${url('aB3dE5f.png')} 4000w`);
  });

  it('contain no link if others can’t open the page', () => {
    expect(codesOf(picture, '', null)).toMatchObject({
      HTML: htmlOf('aB3dE5f.png', '', 640),
      Markdown: `![](${url('aB3dE5f.png')})`,
      BBCode: `[img]${url('aB3dE5f.png')}[/img]`,
    });
  });

  it('use a variant if browsers can’t show the original', () => {
    expect(codesOf({ ...picture, ext: 'heic' }, 'A dog')['HTML']).toContain(`src="${url('aB3dE5f_xl.png')}"`);
  });

  it('embed a video as a frame, and as its still where frames are impossible', () => {
    const codes = codesOf(video, 'A dog');
    expect(codes['HTML']).toContain(`<iframe src="${site}/e/aB3dE5f" width="640" height="480" title="A dog"`);
    expect(codes['Markdown']).toBe(`[![A dog](${url('aB3dE5f_xs.png')})](${page})`);
    const phone = codesOf({ ...video, ext: 'avi', width: 1080, height: 1920 }, '');
    expect(phone['HTML']).toMatch(/width="405" height="720" .* height: auto; aspect-ratio: 405 \/ 720"/);
    expect(phone['Direct link']).toBe(video.urls.xl);
  });

  it.each([
    ['"><script>alert(1)</script>', 'script alert 1 script'],
    ["'><img src=x onerror=alert(1)>", "' img src x onerror alert 1"],
    ['](javascript:alert(1))', 'javascript alert 1'],
    ['\\](https://evil.example', 'https evil.example'],
    ['&#93;&#40;https://evil.example', '93; 40;https evil.example'],
    ['[/img][/url][url=https://evil.example]', 'img url url https evil.example'],
    ['two\nlines\n\n# three', 'two lines three'],
    ['`code` *b* _i_ ~s~ <https://evil.example>', 'code b i s https evil.example'],
    ['Crème brûlée, “warm” – 50 % 🍮', 'Crème brûlée, “warm” – 50 % 🍮'],
  ])('escape %s in Markdown', (alt, words) => {
    expect(codesOf(picture, alt)['Markdown']).toBe(`[![${words}](${url('aB3dE5f.png')})](${page})`);
  });

  it('keep untrusted text within its quotes', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'<>"\'&[]()\\`!\n/=:;#aé', '[/img]', '-->', '</a>', '&quot;'),
    });
    const empty = codesOf(picture, '');
    const frame = codesOf(video, 'x');
    fc.assert(
      fc.property(hostile, (alt) => {
        const codes = codesOf(picture, alt);
        expect(codes['BBCode']).toBe(empty['BBCode']);
        expect(codes['HTML']?.replace(/alt="[^"<>']*"/, 'alt=""')).toBe(empty['HTML']);
        expect(codes['Markdown']?.replace(/!\[[^[\]()\\<>`&:/\n]*\]/, '![]')).toBe(empty['Markdown']);
        expect(codesOf(video, alt)['HTML']?.replace(/title="[^"<>']*"/, 'title="x"')).toBe(frame['HTML']);
      }),
    );
  });
});
