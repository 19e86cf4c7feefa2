import { inspect, MemorySource, rewrittenBytes } from '@vitrine/formats';
import { describeWithChromium, launchChromium } from '@vitrine/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';

const EDGE = 100;
const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const BELOW = '<rect width="100" height="100" fill="#f00"/>';
/** A square over another one, unless these attributes hide it. */
const square = (attributes: string): string =>
  `${BELOW}<rect width="100" height="100" fill="#0f0" ${attributes}/>`;
/** The same, a hundred em to the right. */
const byEm = (pixels: number): string =>
  `${BELOW}<svg x="-100em" width="9000" height="100"><rect x="${pixels}" width="100" height="100" fill="#0f0"/></svg>`;
const used = (element: string): string => `${element}${BELOW}<use href="#u"/>`;
const SYMBOL = '<rect width="100" height="100" fill="#0f0"/></symbol>';

describeWithChromium('what librsvg and a browser show of an SVG', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: EDGE, height: EDGE } });
  });
  afterAll(() => browser?.close());

  async function served(drawing: string): Promise<Buffer> {
    const text = `<svg ${NAMESPACE} width="${EDGE}" height="${EDGE}">${drawing}</svg>`;
    const source = new MemorySource(Buffer.from(text));
    const { rewrite } = await inspect(source);
    const chunks: Uint8Array[] = [];
    for await (const chunk of rewrittenBytes(source, rewrite)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  const pixels = (picture: Buffer): Promise<Buffer> =>
    sharp(picture).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer();

  async function shown(svg: Buffer): Promise<Buffer> {
    await page.setContent(
      `<body style="margin:0"><img src="data:image/svg+xml;base64,${svg.toString('base64')}"></body>`,
    );
    await page.waitForFunction('document.images[0].complete');
    return page.screenshot({ clip: { x: 0, y: 0, width: EDGE, height: EDGE } });
  }

  it.each([
    ['a length in rem', square('x="100rem"')],
    ['a length in q', square('x="1000q"')],
    [
      'a length in ex',
      `${BELOW}<svg x="-1000ex" width="9000"><rect x="8000" width="100" height="100"/></svg>`,
    ],
    ['a length in em', byEm(1200)],
    ['a length in em of letters of medium size', `<g style="font:medium serif">${byEm(1200)}</g>`],
    ['a huge number', square('x="1e39"')],
    ['a transform without units', square('style="transform:translate(1000)"')],
    ['a transform in small letters', square('style="transform:translatex(1000px)"')],
    ['an initial visibility', `${BELOW}<g visibility="hidden">${square('visibility="initial"')}</g>`],
    ['an initial fill', `<g fill="none"><rect width="100" height="100" fill="initial"/></g>`],
    ['a display of contents', square('display="contents"')],
    ['a display of grid', `<style>.a{display:none}</style>${square('class="a" style="display:grid"')}`],
    ['a link with a space', used('<defs><rect id="u" width="9" height="9"/></defs>').replace('#u"', '#u "')],
    [
      'a link with an escape',
      used('<defs><rect id="u" width="9" height="9"/></defs>').replace('#u"', '#%75"'),
    ],
    ['a hidden symbol', used(`<symbol id="u" display="none">${SYMBOL}`)],
    ['a symbol hidden by a sheet', used(`<style>#u{display:none}</style><symbol id="u">${SYMBOL}`)],
    ['a symbol with a place', used(`<symbol id="u" x="50" width="9" height="9">${SYMBOL}`)],
    ['a path with a superfluous comma', `${BELOW}<path fill="#0f0" d="M0 0,h100v100h-100z"/>`],
    ['an odd number of points', `${BELOW}<polygon fill="#0f0" points="0 0 100 0 100 100 0 100 5"/>`],
    ['an effect on a missing filter', square('filter="url(#no) opacity(0)"')],
    ['a mix that only browsers know', square('style="mix-blend-mode:plus-lighter"')],
    ['a negative width', `${BELOW}<svg width="-5" height="100">${square('')}</svg>`],
  ])('is the same for %s', async (_, drawing) => {
    const svg = await served(drawing);
    const [drawn, seen] = [await pixels(svg), await pixels(await shown(svg))];
    const different = drawn.filter((value, index) => Math.abs(value - (seen[index] ?? 0)) > 60).length;
    expect(different).toBeLessThan(drawn.length / 100);
  });
});
