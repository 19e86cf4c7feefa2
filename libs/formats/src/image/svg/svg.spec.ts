import sharp from 'sharp';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { scrub } from '../../testing/scrub';
import { inspectSvg } from './svg';

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = 'width="100" height="100"'): string =>
  `<svg ${NAMESPACE} ${attributes}>${content}</svg>`;

async function written(text: string): Promise<string> {
  return new TextDecoder().decode((await scrub(inspectSvg, new TextEncoder().encode(text))).scrubbed);
}

const SQUARE = '<rect width="50" height="50" fill="#f00"/>';
const GRADIENT = '<stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/>';

/** Each element shows the previous one twice. */
const laughs = (levels: number): string =>
  Array.from({ length: levels }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(2)}</g>`).join(
    '',
  );
/** Each element shows the next. */
const chain = (length: number): string =>
  Array.from({ length }, (_, i) => `<use id="a${i}" href="#a${i + 1}"/>`).join('');

/** Data of a picture in 4 × 2 pixels. */
async function picture(format: 'png' | 'jpeg' | 'webp' | 'gif'): Promise<string> {
  const raw = { width: 4, height: 2, channels: 4 as const };
  const bytes = await sharp(Buffer.alloc(32, 200), { raw })[format]().toBuffer();
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}

describe('inspectSvg', () => {
  // Promise [formats]: Scripts and external references are removed from an SVG.
  it.each([
    [
      'scripts',
      '<script>x</script><script xlink:href="//x"/><s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>',
    ],
    ['HTML', '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>'],
    ['foreign objects with their content', `<foreignObject><svg>${SQUARE}</svg></foreignObject>`],
    [
      'references to other documents',
      '<use href="other.svg#a"/><image width="9" height="9" href="http://x/y.png"/>',
    ],
    [
      'data that is no still picture',
      '<image width="9" height="9" href="data:text/html,x"/><image href="data:image/png,x"/>',
    ],
    [
      'remarks, titles and descriptions',
      '<!-- x --><title>x</title><desc>x</desc><metadata>x</metadata><?x y?>',
    ],
    ['what is drawn under a condition on the viewer', '<style>@media print{rect{fill:red}}</style>'],
    [
      'elements that show themselves',
      '<g id="a"><use href="#a"/></g><use id="b" href="#c"/><use id="c" href="#b"/>',
    ],
  ])('removes %s', async (_, content) => {
    expect(await written(svg(content))).toBe(await written(svg('')));
  });

  it('keeps no handlers, links, names of programs and texts of authors', async () => {
    const secret = 'canary';
    const text = await written(
      svg(
        `<a href="${secret}"><g id="${secret}" class="${secret}" data-x="${secret}" onclick="${secret}">${SQUARE}</g></a>`,
      ),
    );
    expect(text).not.toContain(secret);
    expect(text).toContain('#ff0000');
  });

  it.each([
    ['rules by class', '<style>.a{fill:#f00}</style><rect class="a" width="50" height="50"/>', SQUARE],
    ['rules by attribute', '<style>[width="50"]{fill:#f00}</style><rect width="50" height="50"/>', SQUARE],
    [
      'rules by position',
      '<style>:is(rect:first-of-type){fill:#f00}</style><rect width="50" height="50"/>',
      SQUARE,
    ],
    [
      'the more specific of two rules',
      '<style>rect.a{fill:#f00}.a{fill:#00f}</style><rect class="a" width="50" height="50"/>',
      SQUARE,
    ],
    [
      'an important rule',
      '<style>rect{fill:#f00!important}</style><rect style="fill:#00f" width="50" height="50"/>',
      SQUARE,
    ],
    [
      'variables',
      '<style>:root{--a:var(--b);--b:#f00}</style><rect width="50" height="50" fill="var(--a)"/>',
      SQUARE,
    ],
    [
      'the fallback of a variable that refers to itself',
      '<style>:root{--a:var(--a)}</style><rect width="50" height="50" fill="var(--a,#f00)"/>',
      SQUARE,
    ],
    [
      'colours of CSS 4',
      '<rect width="50" height="50" style="fill:#0f0;fill:rgb(255 0 0 / 100%);fill:nonsense(1)"/>',
      SQUARE,
    ],
    ['calculations', '<rect style="width:calc(20px + 3 * 10px);height:50px" fill="#f00"/>', SQUARE],
    [
      'a transform in a style sheet',
      '<style>g{transform:translate(25px,0)}</style><g>' + SQUARE + '</g>',
      `<g transform="translate(25)">${SQUARE}</g>`,
    ],
    [
      'a transform that a property takes back',
      `<g transform="scale(0)" style="transform:none">${SQUARE}</g>`,
      SQUARE,
    ],
    [
      'an origin of a transform',
      `<g style="transform:rotate(90deg);transform-origin:25px 25px">${SQUARE}</g>`,
      `<g transform="rotate(90 25 25)">${SQUARE}</g>`,
    ],
    [
      'an origin in the box of an element',
      '<rect width="50" height="50" fill="#f00" style="transform-box:fill-box;transform-origin:center;transform:rotate(90deg)"/>',
      '<rect width="50" height="50" fill="#f00" transform="rotate(90 25 25)"/>',
    ],
    [
      'the end of an animation',
      '<rect width="0" height="50" fill="#f00"><animate attributeName="width" to="50" dur="1s" fill="freeze"/></rect>',
      SQUARE,
    ],
    [
      'the end of an animation in a style sheet',
      '<style>@keyframes k{to{opacity:1}}rect{opacity:0;animation:k 1s both}</style>' + SQUARE,
      SQUARE,
    ],
    [
      'an element whose animation ends as it began',
      '<rect width="50" height="50" fill="#f00"><animate attributeName="width" to="9" dur="1s"/></rect>',
      SQUARE,
    ],
    [
      'dashes by path length',
      '<path d="M0 0H80" stroke="red" pathLength="8" stroke-dasharray="1 2"/>',
      '<path d="M0 0H80" stroke="red" stroke-dasharray="10 20"/>',
    ],
    [
      'a gradient that begins on a circle',
      `<radialGradient id="g" r=".4" fr=".2">${GRADIENT}</radialGradient><rect width="9" height="9" fill="url(#g)"/>`,
      `<radialGradient id="g" r=".4"><stop offset=".5" stop-color="#f00"/><stop offset="1" stop-color="#00f"/></radialGradient><rect width="9" height="9" fill="url(#g)"/>`,
    ],
    [
      'a symbol that is moved',
      `<symbol id="s" transform="translate(9)" overflow="visible">${SQUARE}</symbol><use href="#s"/>`,
      `<g transform="translate(9)">${SQUARE}</g>`,
    ],
    [
      'the alternative for every language',
      `<switch><circle systemLanguage="de" r="9"/>${SQUARE}</switch>`,
      SQUARE,
    ],
    [
      'nothing where the paint is of another document',
      '<rect width="9" height="9" fill="url(http://x/#a)"/>',
      '<rect width="9" height="9" fill="none"/>',
    ],
    ['units of the window', '<rect width="50vw" height="50vh" fill="#f00"/>', SQUARE],
    ['key words in capitals', `<g display="NONE"><circle r="9"/></g>${SQUARE}`, SQUARE],
  ])('draws %s', async (_, content, plain) => {
    expect(await written(svg(content))).toBe(await written(svg(plain)));
  });

  it('expands plain entities, and reads documents without a namespace', async () => {
    const doctype = '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY st "fill:#f00">]>';
    const styled =
      '<svg xmlns="&ns;" width="100" height="100"><rect width="50" height="50" style="&st;"/></svg>';
    expect(await written(`${doctype}${styled}`)).toBe(await written(svg(SQUARE)));
    expect(await written(`<svg width="100" height="100">${SQUARE}</svg>`)).toBe(await written(svg(SQUARE)));
  });

  it('draws the background of the root behind everything', async () => {
    const text = await written(svg(SQUARE, 'width="100" height="100" style="background:#0f0"'));
    expect(text).toMatch(/fill="#00ff00".*d="M 0 0 L 100 0 L 100 100 L 0 100 Z".*#ff0000/s);
  });

  it('writes texts as outlines, also on paths', async () => {
    const text = await written(
      svg('<path id="p" d="M0 50H90"/><text y="20">A</text><text><textPath href="#p">B</textPath></text>'),
    );
    expect(text).not.toContain('text');
    expect(text.split('<path').length).toBe(4);
  });

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'keeps a %s picture, in its proportions',
    async (format) => {
      const text = await written(svg(`<image width="80" href="${await picture(format)}"/>`));
      expect(text).toMatch(new RegExp(`width="80" height="40" href="data:image/${format};base64,`));
    },
  );

  it('cleans a drawing in the drawing', async () => {
    const inner = Buffer.from(svg(`<script>canary</script>${SQUARE}`)).toString('base64');
    const text = await written(
      svg(`<image width="80" height="80" href="data:image/svg+xml;base64,${inner}"/>`),
    );
    const [, data = ''] = /svg\+xml;base64,([^"]+)/.exec(text) ?? [];
    expect(Buffer.from(data, 'base64').toString()).toBe(await written(svg(SQUARE)));
  });

  it.each([
    [
      'noise',
      '<filter id="f"><feTurbulence baseFrequency=".1"/></filter><g filter="url(#f)">' + SQUARE + '</g>',
    ],
    ['a blend that programs compute differently', `<g style="mix-blend-mode:hue">${SQUARE}</g>`],
    ['coordinates beyond the precision of 32 bits', '<circle r="9000000"/>'],
  ])('writes a picture in place of %s', async (_, content) => {
    const text = await written(svg(content));
    expect(text).toMatch(
      /^<svg [^>]*><svg [^>]*><image [^>]*href="data:image\/png;base64,[^"]*"\/><\/svg><\/svg>$/,
    );
  });

  it('clips the drawing at its edges', async () => {
    expect(await written(svg('<circle r="99"/>', 'width="40" height="20" viewBox="0 0 80 40"'))).toMatch(
      /^<svg xmlns="[^"]*" width="40" height="20" viewBox="0 0 40 20"><svg width="40" height="20" viewBox="0 0 80 40">/,
    );
  });

  it('changes nothing in a drawing that it has written', async () => {
    const first = await written(
      svg(
        `<defs><clipPath id="c"><circle r="40"/></clipPath></defs><g clip-path="url(#c)" opacity=".5">${SQUARE}<text y="9">A</text></g>`,
      ),
    );
    expect(await written(first)).toBe(first);
  });

  it('reads the encodings of XML', async () => {
    const text = svg('<text y="9">é</text>');
    const expected = await written(text);
    const utf16 = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le');
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
    for (const bytes of [utf16, utf16.swap16(), latin1]) {
      const { scrubbed } = await scrub(inspectSvg, Uint8Array.from(bytes));
      expect(new TextDecoder().decode(scrubbed)).toBe(expected);
    }
  });

  it.each([
    ['', 300, 150],
    ['width="40" height="2e1px"', 40, 20],
    ['width="1in" height="2.54cm"', 96, 96],
    ['width="72pt" height="6pc"', 96, 96],
    ['viewBox="0 0 40 20"', 40, 20],
    ['width="80" viewBox="0,0,40,20"', 80, 40],
    ['height="10" viewBox="0 0 40 20"', 20, 10],
    ['width="100%" height="100%" viewBox="0 0 40 20"', 40, 20],
    ['width="0.2" height="0.2"', 1, 1],
  ])('has, with %s, a size of %d × %d pixels', async (attributes, width, height) => {
    const bytes = new TextEncoder().encode(svg('', attributes));
    expect((await scrub(inspectSvg, bytes)).facts).toMatchObject({ width, height });
  });

  it('gives a drawing a fixed size only if it has one', async () => {
    expect(await written(svg(SQUARE, 'viewBox="0 0 40 20"'))).toMatch(
      /^<svg xmlns="[^"]*" viewBox="0 0 40 20">/,
    );
    expect(await written(svg(SQUARE, 'width="9" height="9"'))).toMatch(
      /^<svg xmlns="[^"]*" width="9" height="9"/,
    );
  });

  it.each([
    ['is cut off', `<svg ${NAMESPACE}><rect/>`],
    ['is not well-formed', svg('<rect x=1/>')],
    ['uses undeclared prefixes', svg('<x:y/>')],
    ['uses undeclared entities', svg('<text>&x;</text>')],
    [
      'expands entities into entities',
      `<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${svg('<text>&c;</text>')}`,
    ],
    ['reads files', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('<text>&a;</text>')}`],
    ['has no size', svg('', 'width="0"')],
    ['has a size of a thousand digits', svg('', `width="0" height="${'1'.repeat(1000)}!"`)],
    ['shows its elements too often', svg(laughs(20))],
    ['shows elements in a chain of thousands of references', svg(chain(5000))],
    ['has a thousand effects', svg(`<filter>${'<feTile/>'.repeat(1000)}</filter>`)],
    ['is nested too deeply', svg('<g>'.repeat(300) + '</g>'.repeat(300))],
    ['spells control characters', `<?xml version="1.1"?>${svg('<text>&#1;</text>')}`],
    ['hides control characters', `<?xml version="1.1"?>${svg('<rect id="&#11;"/>')}`],
    ['is not in its encoding', '<?xml version="1.0" encoding="x-none"?><svg/>'],
  ])('refuses a file that %s', async (_, text) => {
    await expect(written(text)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a file that is larger than any drawing', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20);
    await expect(scrub(inspectSvg, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses other XML as an unsupported format', async () => {
    await expect(written('<rss/>')).rejects.toThrow(UnsupportedFormatError);
    await expect(written('<svg xmlns="urn:x"/>')).rejects.toThrow(UnsupportedFormatError);
  });
});
