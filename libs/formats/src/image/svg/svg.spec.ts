import sharp from 'sharp';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { scrub } from '../../testing/scrub';
import { inspectSvg } from './svg';

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = ''): string =>
  `<svg ${NAMESPACE}${attributes}${content === '' ? '/>' : `>${content}</svg>`}`;
/** The result for a drawing that names no size: a frame, and the drawing in it. */
const framed = (content: string): string => {
  const size = 'width="300" height="150"';
  const inner = content === '' ? `<svg ${size}/>` : `<svg ${size}>${content}</svg>`;
  return `<svg ${NAMESPACE} ${size} viewBox="0 0 300 150" font-size="16px">${inner}</svg>`;
};

async function clean(text: string): Promise<string> {
  return new TextDecoder().decode((await scrub(inspectSvg, new TextEncoder().encode(text))).scrubbed);
}

/** Each element shows the previous one twice. */
const laughs = (levels: number): string =>
  Array.from({ length: levels }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(2)}</g>`).join(
    '',
  );
/** Each element shows the next. */
const chain = (length: number): string =>
  Array.from({ length }, (_, i) => `<use id="a${i}" href="#a${i + 1}"/>`).join('');

describe('inspectSvg', () => {
  it.each([
    [
      'scripts',
      '<script>x</script><script xlink:href="//x" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
      '',
    ],
    ['scripts by another prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>', ''],
    ['HTML', '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>', ''],
    ['foreign objects with their content', '<foreignObject><svg><rect/></svg></foreignObject>', ''],
    ['events', '<rect onclick="x" ONLOAD="y" width="1"/>', '<rect width="1"/>'],
    ['links', '<a href="javascript:x"><rect/></a>', '<a><rect/></a>'],
    ['references to other documents', '<use href="other.svg#a"/><use href=" #b"/>', '<use/><use href="#b"/>'],
    [
      'data that is not a raster picture',
      '<use href="data:image/svg+xml,x"/><image href="data:image/png,x"/>',
      '<use/><image/>',
    ],
    [
      'paint from other documents',
      '<rect fill="url(http://x/#a)" stroke="url(#a) red"/>',
      '<rect stroke="url(#a) red"/>',
    ],
    ['paint that is written with escapes', '<rect fill="u\\72l(//x)" mask="URL( //x )"/>', '<rect/>'],
    [
      'styles from other documents',
      '<rect style="fill:url(//x);stroke : red; mask:image-set(&quot;//x&quot; 1x)"/>',
      '<rect style="stroke:red"/>',
    ],
    [
      'animation of links',
      '<animate attributeName="href" to="x"/><set attributeName="xlink:href" to="x"/>',
      '',
    ],
    [
      'animation',
      '<rect><animate attributeName="x" to="9"/><set attributeName="x" begin="9s"/></rect>',
      '<rect/>',
    ],
    ['motion', '<animateMotion><mpath href="#a"/></animateMotion><animateTransform/><view id="v"/>', ''],
    [
      'conditions on the viewer',
      '<rect systemLanguage="de" requiredFeatures="x" width="1"/>',
      '<rect width="1"/>',
    ],
    ['choices by language', '<switch><rect systemLanguage="de"/><path/><circle/></switch>', '<g><path/></g>'],
    [
      'choices that have no default',
      '<switch><rect systemLanguage="de"/><path systemLanguage="en"/></switch>',
      '<g><rect/></g>',
    ],
    [
      'style sheets for windows of some sizes',
      '<style media="(max-width:1px)">a{fill:red}</style><style media="screen">b{fill:red}</style>',
      '<style>b{fill:red}</style>',
    ],
    ['sheets of another kind', '<style type="text/less">a{fill:red}</style>', ''],
    [
      'text on a path, which librsvg does not draw',
      '<text>a<textPath href="#p">b</textPath></text>',
      '<text>a</text>',
    ],
    [
      'lengths that depend on the window',
      '<rect width="50vw" height="1e1vmin" x="5" d="M0 0h10v10"/>',
      '<rect x="5" d="M0 0h10v10"/>',
    ],
    [
      'colours that the viewer chooses',
      '<rect fill="CanvasText" stroke="light-dark(red,blue)" color="red"/>',
      '<rect color="red"/>',
    ],
    [
      'styles that depend on the pointer',
      '<rect cursor="none" pointer-events="all" transform-origin="5"/>',
      '<rect/>',
    ],
    [
      'overflow, which shows what lies outside of the edges',
      '<svg overflow="visible" style="overflow:visible;x:9px"/><marker overflow="visible"/>',
      '<svg/><marker overflow="visible"/>',
    ],
    [
      'units that only browsers know',
      '<rect x="2rem" y="4q" width="3ex" height="1EM"/><rect x="1.5.5rem" y="1e9px"/>',
      '<rect x="32px" y="3.7795px" width="1.5em" height="1em"/><rect/>',
    ],
    [
      'values that mean another one',
      '<g visibility="initial" fill="unset" style="display:contents;opacity:revert"/>',
      '<g/>',
    ],
    [
      'path data of which one renderer reads more than the other',
      '<path d="M0 0h100."/><path d="M0 0h1,v1"/><polygon points="0 0 1 1 2"/><path d="M0,0h1v-.5z"/>',
      '<path/><path/><polygon/><path d="M0,0h1v-.5z"/>',
    ],
    [
      'transforms without units in styles, and with units elsewhere',
      '<g style="transform:translate(9)"/><g style="transform:rotate(9deg)"/><g transform="rotate(9deg)"/><g transform="rotate(9)"/>',
      '<g/><g style="transform:rotate(9deg)"/><g/><g transform="rotate(9)"/>',
    ],
    [
      'what hides or moves elements that others refer to',
      '<symbol x="9" display="none" viewBox="0 0 1 1"/><mask opacity="0" transform="scale(0)" style="display:none"/>',
      '<symbol viewBox="0 0 1 1"/><mask/>',
    ],
    [
      'links that only browsers follow',
      '<use href="#a%20b"/><use href="#a b"/><use href="#é "/>',
      '<use/><use/><use href="#é"/>',
    ],
    [
      'effects and colours that are computed differently',
      '<rect filter="sepia(1)" style="mask:url(#m) no-repeat;fill:hsl(1 2 3);mix-blend-mode:plus-lighter"/>',
      '<rect/>',
    ],
    [
      'sizes of letters by name',
      '<g font-size="medium"/><g style="font:large serif"/><g style="font:menu"/>',
      '<g font-size="16px"/><g style="font:18px serif"/><g/>',
    ],
    [
      'what a style sheet may hide',
      '<style>#m{display:none}</style><marker id="m"/>',
      '<style>#m{display:none}</style><marker id="m" style="display:inline!important;opacity:1!important;mask:none!important;filter:none!important;mix-blend-mode:normal!important;clip-path:none!important"/>',
    ],
    ['remarks', '<!-- x --><title>x</title><desc>x</desc><metadata>x</metadata>x<g>x</g><?x y?>', '<g/>'],
    ['empty styles', '<style>@import "x"; @font-face{src:url(x)} a{fill:url(x)}</style>', '<style/>'],
  ])('removes %s', async (_, content, expected) => {
    expect(await clean(svg(content))).toBe(framed(expected));
  });

  it('keeps rules that refer only to the document, and removes at-rules', async () => {
    const sheet =
      '@import "x"; @media print { a { fill: red } } .a , b > c { fill : url( "#g" ) ; content: "; } /* no */" } d{r:} e{r:1}';
    expect(await clean(svg(`<style>${sheet.replace('>', '&gt;')}</style>`))).toBe(
      framed('<style>.a , b &gt; c{fill:url(#g)}e{r:1}</style>'),
    );
  });

  it('keeps only text that is drawn', async () => {
    expect(await clean(svg('no<text>A &amp; <tspan>B</tspan>\n<![CDATA[<C>]]></text>no'))).toBe(
      framed('<text>A &amp; <tspan>B</tspan>\n&lt;C&gt;</text>'),
    );
  });

  it('accepts an SVG without its namespace, and namespaces by entity', async () => {
    expect(await clean('<svg><rect/></svg>')).toBe(framed('<rect/>'));
    const doctype = '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>';
    expect(await clean(`${doctype}<svg xmlns="&ns;"><rect/></svg>`)).toBe(framed('<rect/>'));
  });

  it('reads the encodings of XML', async () => {
    const text = svg('<text>é</text>');
    const utf16 = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le');
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
    for (const bytes of [utf16, utf16.swap16(), latin1]) {
      const { scrubbed } = await scrub(inspectSvg, Uint8Array.from(bytes));
      expect(new TextDecoder().decode(scrubbed)).toBe(framed('<text>é</text>'));
    }
  });

  it.each([
    ['', 300, 150],
    [' width="40" height="2e1px"', 40, 20],
    [' width="1in" height="2.54cm"', 96, 96],
    [' width="72pt" height="6pc"', 96, 96],
    [' viewBox="0 0 40 20"', 40, 20],
    [' width="80" viewBox="0,0,40,20"', 80, 40],
    [' height="10" viewBox="0 0 40 20"', 20, 10],
    [' width="100%" height="100%" viewBox="0 0 40 20"', 40, 20],
    [' width="0.2" height="0.2"', 1, 1],
  ])('has, with%s, a size of %d × %d pixels', async (attributes, width, height) => {
    const bytes = new TextEncoder().encode(svg('', attributes));
    expect((await scrub(inspectSvg, bytes)).facts).toMatchObject({ width, height });
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
    ['has no size', svg('', ' width="0"')],
    ['has a size of a thousand digits', svg('', ` width="0" height="${'1'.repeat(1000)}!"`)],
    ['shows its elements too often', svg(laughs(20))],
    ['shows elements in a chain of thousands of references', svg(chain(5000))],
    ['has a thousand effects', svg(`<filter>${'<feTile/>'.repeat(1000)}</filter>`)],
    ['is nested too deeply', svg('<g>'.repeat(300) + '</g>'.repeat(300))],
    ['spells control characters', `<?xml version="1.1"?>${svg('<text>&#1;</text>')}`],
    ['hides control characters', `<?xml version="1.1"?>${svg('<rect class="&#11;"/>')}`],
    ['is not in its encoding', '<?xml version="1.0" encoding="x-none"?><svg/>'],
  ])('refuses a file that %s', async (_, text) => {
    await expect(clean(text)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a file that is larger than any drawing', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20);
    await expect(scrub(inspectSvg, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses other XML as an unsupported format', async () => {
    await expect(clean('<rss/>')).rejects.toThrow(UnsupportedFormatError);
    await expect(clean('<svg xmlns="urn:x"/>')).rejects.toThrow(UnsupportedFormatError);
  });
});

describe('the picture of an SVG', () => {
  /** The number of matching pixels in the picture that librsvg draws. */
  async function drawn(text: string): Promise<number> {
    const { data } = await sharp(Buffer.from(text)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    let count = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 128) count++;
    return count;
  }

  it('is clipped at its edges in a box of any shape', async () => {
    const beside = svg(
      '<rect x="100" width="100" height="100"/>',
      ' width="100" height="100" viewBox="0 0 100 100"',
    );
    const inWideBox = (text: string): string => text.replace('width="100"', 'width="400"');
    expect(await drawn(inWideBox(beside))).toBeGreaterThan(0);
    expect(await drawn(inWideBox(await clean(beside)))).toBe(0);
  });

  it.each([
    ['png', 1],
    ['gif', 0],
    ['webp', 0],
  ] as const)('keeps a %s picture only if librsvg draws it too', async (format, kept) => {
    const raw = { width: 4, height: 4, channels: 4 as const };
    const picture = await sharp(Buffer.alloc(64, 255), { raw })[format]().toBuffer();
    const link = `data:image/${format};base64,${picture.toString('base64')}`;
    const cleaned = await clean(svg(`<image width="9" height="9" href="${link}"/>`));
    expect(cleaned.split('data:').length - 1).toBe(kept);
    expect(await drawn(cleaned)).toBe(kept * 81);
  });
});
