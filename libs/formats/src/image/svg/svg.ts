import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { imageFacts } from '../../facts/media-facts';
import { RewriteBuilder } from '../../rewriting/rewrite-builder';
import { decodeXml } from '../../sniffing/xml-text';
import { endAnimations } from './animations';
import { assertBounded } from './bounds';
import { computeStyles } from './cascade';
import { EmbeddedPictures } from './embedded';
import { normalise } from './normalise';
import { hasAbsoluteSize, naturalSize, svgSize } from './size';
import { readSvg, svgElement, textsOf, writeSvg, type SvgElement } from './tree';
import { drawSvg, loadUsvg, simplify } from './usvg';
import { checkWritten, framed, isCertain, unframed } from './written';

/** An SVG is read as a whole. No real drawing is larger, neither as uploaded nor as written. */
const MAX_SVG_BYTES = 10 * 1024 * 1024;
/** Drawings in drawings. */
const MAX_NESTING = 3;

/**
 * Reads an SVG and writes it again from the shapes that are drawn, so that every viewer sees what is judged: styles are
 * computed into attributes, animations are at their end, conditions are decided, texts are outlines, and nothing is left
 * of scripts, links, metadata and everything else that isn't known to draw alike.
 * @throws UnreadableFileError if it isn't well-formed XML, larger than 10 MiB, or too costly to draw.
 * @throws UnsupportedFormatError if it is XML, but no SVG.
 */
export const inspectSvg = (source: ByteSource): Promise<Inspection> => inspectNested(source, 0);

async function inspectNested(source: ByteSource, depth: number): Promise<Inspection> {
  if (source.size > MAX_SVG_BYTES) throw new UnreadableFileError('The SVG is too large.');
  if (depth > MAX_NESTING) throw new UnreadableFileError('The SVG holds too many drawings in each other.');
  await loadUsvg();
  const { drawing, hasSize } = unframed(await readSvg(decodeXml(await readExactly(source, 0, source.size))));
  const facts = imageFacts('svg', svgSize(drawing.attributes));
  const isSized = hasSize ?? hasAbsoluteSize(drawing.attributes);
  const { width, height } = naturalSize(drawing.attributes);
  for (const name of ['x', 'y', 'transform']) drawing.attributes.delete(name);
  drawing.attributes.set('width', String(width)).set('height', String(height));
  assertBounded(drawing);
  const pictures = new EmbeddedPictures((inner) => inspectNested(inner, depth + 1));
  await pictures.takeFrom(drawing);
  const texts = textsOf(drawing);
  endAnimations(drawing);
  computeStyles(drawing);
  normalise(drawing);
  const written = await readSvg(simplify(writeSvg(drawing), texts));
  checkWritten(written, pictures);
  if (!isCertain(written)) await replaceByPicture(written, pictures);
  const text = new TextEncoder().encode(writeSvg(framed(written, isSized)));
  if (text.length > MAX_SVG_BYTES) throw new UnreadableFileError('The SVG is too large.');
  const whole = new RewriteBuilder();
  whole.put(text);
  return { facts, rewrite: await whole.finish(source) };
}

/** Longest edge of the picture that stands for a drawing, in pixels; smaller drawings get two pixels for each unit. */
const PICTURE_EDGE = 1024;

/** Puts a picture of the drawing in its place. @throws UnreadableFileError if it holds pictures that resvg can't draw. */
async function replaceByPicture(drawing: SvgElement, pictures: EmbeddedPictures): Promise<void> {
  if (!pictures.areKnownToResvg)
    throw new UnreadableFileError('The SVG applies unusual effects to pictures.');
  const [width = '', height = ''] = ['width', 'height'].map((name) => drawing.attributes.get(name));
  const scale = Math.min(2, PICTURE_EDGE / Math.max(Number(width), Number(height)));
  const png = await drawSvg(writeSvg(drawing), Math.max(1, Math.round(Number(width) * scale)));
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const picture = svgElement('image', { width, height, preserveAspectRatio: 'none', href });
  drawing.attributes.set('viewBox', `0 0 ${width} ${height}`);
  drawing.children = [picture];
}
