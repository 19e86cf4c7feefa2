import { UnreadableFileError } from '../../errors/file-errors';
import type { Size } from '../../facts/displayed-size';
import type { Box } from './transforms';
import { parseLength } from './values';

/** The size of a picture that names no size (CSS 2.1, 10.3.2). */
const DEFAULT_SIZE = { width: 300, height: 150 };

/** Pixels of an SVG by its root's `width`, `height` and `viewBox`, rounded, at least one each. */
export function svgSize(attributes: ReadonlyMap<string, string>): Size {
  const { width, height } = naturalSize(attributes);
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** Like `svgSize`, but not rounded. @throws UnreadableFileError if nothing would be visible. */
export function naturalSize(attributes: ReadonlyMap<string, string>): Size {
  const width = length(attributes.get('width'));
  const height = length(attributes.get('height'));
  const box = viewBoxOf(attributes);
  const ratio = box && box.width / box.height;
  const natural = {
    width: width ?? (height !== undefined && ratio ? height * ratio : (box?.width ?? DEFAULT_SIZE.width)),
    height: height ?? (width !== undefined && ratio ? width / ratio : (box?.height ?? DEFAULT_SIZE.height)),
  };
  if (!(natural.width > 0 && natural.height > 0) || !Number.isFinite(natural.width * natural.height)) {
    throw new UnreadableFileError('The SVG has no size.');
  }
  return natural;
}

/** A length in pixels; undefined if it is absent, relative to the window, or invalid. */
function length(value: string | undefined): number | undefined {
  const pixels = value?.trim().endsWith('%') ? undefined : parseLength(value, 0);
  return pixels !== undefined && pixels >= 0 ? pixels : undefined;
}

/** Limit of the characters of a `viewBox`; real ones are less than half as long. */
const MAX_VIEW_BOX = 256;

function bounded(value: string | undefined): string {
  return value === undefined || value.length > MAX_VIEW_BOX ? '' : value.trim();
}

/** The `viewBox` of an element; undefined if it has none that shows anything. */
export function viewBoxOf(attributes: ReadonlyMap<string, string>): Box | undefined {
  const [x = NaN, y = NaN, width = NaN, height = NaN] = bounded(attributes.get('viewBox'))
    .split(/[\s,]+/)
    .map(Number);
  return Number.isFinite(x + y) && width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** Whether the root names its width and height in absolute units; else the drawing takes the size of its place. */
export function hasAbsoluteSize(attributes: ReadonlyMap<string, string>): boolean {
  return length(attributes.get('width')) !== undefined && length(attributes.get('height')) !== undefined;
}
