import type { ByteSource } from '../../byte-source';
import { readExactly } from '../../bytes/read';
import { RewriteBuilder } from '../../bytes/rewrite-builder';
import { UnreadableFileError, type Inspection } from '../../media-format';
import { imageFacts } from '../image-facts';
import { parseSvg, writeSvg, type SvgElement } from './document';
import { cleanRasterLink } from './raster-link';
import { svgSize } from './size';
import { assertBounded, dataLinks, framed } from './structure';
import { decodeXml } from './xml-text';

/** An SVG is read as a whole; larger ones are no drawings. */
const MAX_SVG_BYTES = 10 * 1024 * 1024;

/**
 * Reads an SVG and writes it again with only the parts that draw, and that draw the same for every viewer at any time: no
 * scripts, events, foreign objects, external links, comments, titles or data of other programs, no animation and no
 * conditions. Embedded pictures are still ones, scrubbed of their metadata.
 * @throws UnreadableFileError where it is no well-formed XML, larger than 10 MiB, or too costly to draw.
 * @throws UnsupportedFormatError where it is XML, but no SVG.
 */
export async function inspectSvg(source: ByteSource): Promise<Inspection> {
  if (source.size > MAX_SVG_BYTES) throw new UnreadableFileError('The SVG is too large.');
  const root = await parseSvg(decodeXml(await readExactly(source, 0, source.size)));
  const facts = imageFacts('svg', svgSize(root.attributes));
  assertBounded(root);
  await cleanRasters(root);
  const whole = new RewriteBuilder();
  whole.put(new TextEncoder().encode(writeSvg(framed(root))));
  return { facts, rewrite: await whole.settle(source) };
}

async function cleanRasters(element: SvgElement): Promise<void> {
  for (const [name, value] of dataLinks(element)) {
    const link = await cleanRasterLink(value);
    if (link === undefined) element.attributes.delete(name);
    else element.attributes.set(name, link);
  }
  for (const child of element.children) if (typeof child !== 'string') await cleanRasters(child);
}
