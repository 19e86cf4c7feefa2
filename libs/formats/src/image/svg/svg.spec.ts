import { UnreadableFileError, UnsupportedFormatError } from '../../media-format';
import { scrub } from '../../testing/scrub';
import { inspectSvg } from './svg';

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = ''): string =>
  `<svg ${NAMESPACE}${attributes}${content === '' ? '/>' : `>${content}</svg>`}`;

async function clean(text: string): Promise<string> {
  return new TextDecoder().decode((await scrub(inspectSvg, new TextEncoder().encode(text))).scrubbed);
}

describe('inspectSvg', () => {
  it.each([
    [
      'scripts',
      '<script>x</script><script xlink:href="//x" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
      '',
    ],
    ['scripts by another prefix', '<s:script xmlns:s="http://www.w3.org/2000/svg">x</s:script>', ''],
    ['HTML', '<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>', ''],
    ['foreign objects with all they hold', '<foreignObject><svg><rect/></svg></foreignObject>', ''],
    ['events', '<rect onclick="x" ONLOAD="y" width="1"/>', '<rect width="1"/>'],
    ['links', '<a href="javascript:x"><rect/></a>', '<a><rect/></a>'],
    [
      'references to other documents',
      '<use href="other.svg#a"/><use href=" #b"/>',
      '<use/><use href=" #b"/>',
    ],
    [
      'data that is no raster picture',
      '<use href="data:image/svg+xml,x"/><image href="data:image/png,x"/>',
      '<use/><image/>',
    ],
    [
      'paint from elsewhere',
      '<rect fill="url(http://x/#a)" stroke="url(#a) red"/>',
      '<rect stroke="url(#a) red"/>',
    ],
    ['paint that escapes spell', '<rect fill="u\\72l(//x)" mask="URL( //x )"/>', '<rect/>'],
    [
      'styles from elsewhere',
      '<rect style="fill:url(//x);stroke : red; mask:image-set(&quot;//x&quot; 1x)"/>',
      '<rect style="stroke:red"/>',
    ],
    [
      'animation of links',
      '<animate attributeName="href" to="x"/><set attributeName="xlink:href" to="x"/>',
      '',
    ],
    [
      'values that animate to elsewhere',
      '<set attributeName="fill" to="url(//x)"/>',
      '<set attributeName="fill"/>',
    ],
    ['remarks', '<!-- x --><title>x</title><desc>x</desc><metadata>x</metadata>x<g>x</g><?x y?>', '<g/>'],
    ['empty styles', '<style>@import "x"; @font-face{src:url(x)} a{fill:url(x)}</style>', '<style/>'],
  ])('takes out %s', async (_, content, expected) => {
    expect(await clean(svg(content))).toBe(svg(expected));
  });

  it('keeps rules that stay within the document, and no at-rule', async () => {
    const sheet =
      '@import "x"; @media print { a { fill: red } } .a , b > c { fill : url( "#g" ) ; content: "; } /* no */" } d{x:} e{x:1}';
    expect(await clean(svg(`<style>${sheet.replace('>', '&gt;')}</style>`))).toBe(
      svg('<style>.a , b &gt; c{fill:url(#g)}e{x:1}</style>'),
    );
  });

  it('keeps text that is drawn, and only that', async () => {
    expect(await clean(svg('no<text>A &amp; <tspan>B</tspan>\n<![CDATA[<C>]]></text>no'))).toBe(
      svg('<text>A &amp; <tspan>B</tspan>\n&lt;C&gt;</text>'),
    );
  });

  it('takes SVG that forgets its namespace, and namespaces by entity', async () => {
    expect(await clean('<svg><rect/></svg>')).toBe(svg('<rect/>'));
    const doctype = '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>';
    expect(await clean(`${doctype}<svg xmlns="&ns;"><rect/></svg>`)).toBe(svg('<rect/>'));
  });

  it('reads the encodings that XML knows', async () => {
    const text = svg('<text>é</text>');
    const utf16 = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le');
    const latin1 = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
    for (const bytes of [utf16, utf16.swap16(), latin1]) {
      const { scrubbed } = await scrub(inspectSvg, Uint8Array.from(bytes));
      expect(new TextDecoder().decode(scrubbed)).toBe(text);
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
  ])('is, with%s, %d × %d pixels', async (attributes, width, height) => {
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
    ['is nested without end', svg('<g>'.repeat(300) + '</g>'.repeat(300))],
    ['spells control characters', `<?xml version="1.1"?>${svg('<text>&#1;</text>')}`],
    ['hides control characters', `<?xml version="1.1"?>${svg('<rect class="&#11;"/>')}`],
    ['is not in its encoding', '<?xml version="1.0" encoding="x-none"?><svg/>'],
  ])('refuses what %s', async (_, text) => {
    await expect(clean(text)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses what is larger than a drawing', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20);
    await expect(scrub(inspectSvg, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it('does not take other XML for SVG', async () => {
    await expect(clean('<rss/>')).rejects.toThrow(UnsupportedFormatError);
    await expect(clean('<svg xmlns="urn:x"/>')).rejects.toThrow(UnsupportedFormatError);
  });
});
