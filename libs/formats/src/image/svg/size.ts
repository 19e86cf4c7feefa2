import { UnreadableFileError } from '../../errors/file-errors';

/** CSS pixels in one of each unit (CSS Values, 6.2); font-relative units at the initial 16 pixels. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};

/** The size of a picture that names no size (CSS 2.1, 10.3.2). */
const DEFAULT_SIZE = { width: 300, height: 150 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an SVG by its root's `width`, `height` and `viewBox`, rounded, at least one each. */
export function svgSize(attributes: ReadonlyMap<string, string>): Size {
  const { width, height } = naturalSize(attributes);
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
}

/** Like `svgSize`, but not rounded. @throws UnreadableFileError if nothing would be visible. */
export function naturalSize(attributes: ReadonlyMap<string, string>): Size {
  const width = length(attributes.get('width'));
  const height = length(attributes.get('height'));
  const box = viewBox(attributes.get('viewBox'));
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

/** Limit of the characters of a length or of a `viewBox`; real ones are less than half as long. */
const MAX_VALUE_LENGTH = 256;
const LENGTH = /^\+?((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i;

/** A length in pixels; undefined if it is absent, relative to the window, or invalid. */
function length(value: string | undefined): number | undefined {
  const match = LENGTH.exec(bounded(value));
  const unit = UNITS[(match?.[2] ?? '').toLowerCase()];
  return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}

function bounded(value: string | undefined): string {
  return value === undefined || value.length > MAX_VALUE_LENGTH ? '' : value.trim();
}

/** Whether a `viewBox` with this value shows anything. */
export function isViewBox(value: string | undefined): boolean {
  return viewBox(value) !== undefined;
}

function viewBox(value: string | undefined): Size | undefined {
  const [, , width, height] = bounded(value)
    .split(/[\s,]+/)
    .map(Number);
  return width !== undefined && height !== undefined && width > 0 && height > 0
    ? { width, height }
    : undefined;
}
