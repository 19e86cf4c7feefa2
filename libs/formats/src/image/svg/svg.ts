import type { ByteSource } from '../../byte-source';
import { readExactly } from '../../bytes/read';
import { RewriteBuilder } from '../../bytes/rewrite-builder';
import { UnreadableFileError, type Inspection } from '../../media-format';
import { imageFacts } from '../image-facts';
import { isHref, parseSvg, writeSvg, type SvgElement } from './document';
import { cleanRasterLink } from './raster-link';
import { svgSize } from './size';
import { decodeXml } from './xml-text';

/** An SVG is read as a whole; larger ones are no drawings. */
const MAX_SVG_BYTES = 10 * 1024 * 1024;

/**
 * Reads an SVG and writes it anew with nothing but what draws: no scripts, events, foreign objects, links to other
 * places, remarks, titles or other programs' data, and pictures within it scrubbed of theirs.
 * @throws UnreadableFileError where it is no well-formed XML or larger than 10 MiB.
 * @throws UnsupportedFormatError where it is XML, but no SVG.
 */
export async function inspectSvg(source: ByteSource): Promise<Inspection> {
  if (source.size > MAX_SVG_BYTES) throw new UnreadableFileError('The SVG is too large.');
  const root = await parseSvg(decodeXml(await readExactly(source, 0, source.size)));
  const facts = imageFacts('svg', svgSize(root.attributes));
  await cleanRasters(root);
  const whole = new RewriteBuilder();
  whole.put(new TextEncoder().encode(writeSvg(root)));
  return { facts, rewrite: await whole.settle(source) };
}

async function cleanRasters({ attributes, children }: SvgElement): Promise<void> {
  for (const [name, value] of attributes) {
    if (!isHref(name) || !/^\s*data:/i.test(value)) continue;
    const link = await cleanRasterLink(value);
    if (link === undefined) attributes.delete(name);
    else attributes.set(name, link);
  }
  for (const child of children) if (typeof child !== 'string') await cleanRasters(child);
}
