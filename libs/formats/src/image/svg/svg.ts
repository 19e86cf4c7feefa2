import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { imageFacts } from '../../facts/media-facts';
import { RewriteBuilder } from '../../rewriting/rewrite-builder';
import { decodeXml } from '../../sniffing/xml-text';
import { parseSvg, writeSvg, type SvgElement } from './document';
import { cleanRasterLink } from './raster-link';
import { svgSize } from './size';
import { assertBounded, dataLinks, framed } from './structure';

/** An SVG is read as a whole. No real drawing is larger. */
const MAX_SVG_BYTES = 10 * 1024 * 1024;

/**
 * Reads an SVG and writes only the parts that draw, and that look the same for every viewer at any time: no scripts,
 * events, foreign objects, external links, comments, titles or data of other programs, no animation and no
 * conditions. Embedded pictures are stills, without metadata.
 * @throws UnreadableFileError if it isn't well-formed XML, larger than 10 MiB, or too costly to draw.
 * @throws UnsupportedFormatError if it is XML, but no SVG.
 */
export async function inspectSvg(source: ByteSource): Promise<Inspection> {
  if (source.size > MAX_SVG_BYTES) throw new UnreadableFileError('The SVG is too large.');
  const root = await parseSvg(decodeXml(await readExactly(source, 0, source.size)));
  const facts = imageFacts('svg', svgSize(root.attributes));
  assertBounded(root);
  await cleanRasters(root);
  const whole = new RewriteBuilder();
  whole.put(new TextEncoder().encode(writeSvg(framed(root))));
  return { facts, rewrite: await whole.finish(source) };
}

async function cleanRasters(element: SvgElement): Promise<void> {
  for (const [name, value] of dataLinks(element)) {
    const link = await cleanRasterLink(value);
    if (link === undefined) element.attributes.delete(name);
    else element.attributes.set(name, link);
  }
  for (const child of element.children) if (typeof child !== 'string') await cleanRasters(child);
}
