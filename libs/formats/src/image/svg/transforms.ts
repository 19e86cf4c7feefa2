import { parseDimension, parseLength, partsOf } from './values';
import { generate } from 'css-tree';

/** A matrix `a b c d e f` of SVG. */
export type Matrix = readonly [number, number, number, number, number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Radians in one of each unit of an angle. SVG's attributes give degrees without a unit. */
const ANGLES: Readonly<Record<string, number>> = {
  '': Math.PI / 180,
  deg: Math.PI / 180,
  grad: Math.PI / 200,
  rad: 1,
  turn: 2 * Math.PI,
};

/**
 * The matrix of a `transform` in the notation of SVG or CSS; percentages are parts of `box`. Undefined if it isn't a list
 * of plane transforms, which browsers ignore.
 */
export function parseTransform(value: string, box: Box): Matrix | undefined {
  if (/^(?:none)?$/i.test(value.trim())) return IDENTITY;
  const parts = partsOf(value).filter((part) => !(part.type === 'Operator' && part.value === ','));
  let result: Matrix | undefined = parts.length === 0 ? undefined : IDENTITY;
  for (const part of parts) {
    if (part.type !== 'Function' || !result) return undefined;
    const args = part.children
      .toArray()
      .filter(({ type }) => type !== 'Operator')
      .map((arg) => generate(arg));
    const one = functionMatrix(part.name.toLowerCase(), args, box);
    result = one?.every(Number.isFinite) ? multiply(result, one) : undefined;
  }
  return result;
}

const SVG_FUNCTIONS = /^\s*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+\d.eE,\s]*\)[\s,]*)*$/;

/** The matrix of a `transform` attribute (SVG 1.1, 7.6): no units. Undefined if browsers ignore it. */
export const parseAttribute = (value: string): Matrix | undefined =>
  SVG_FUNCTIONS.test(value) ? parseTransform(value, { x: 0, y: 0, width: 0, height: 0 }) : undefined;

function functionMatrix(name: string, args: readonly string[], box: Box): Matrix | undefined {
  const length = (at: number, whole: number): number =>
    args[at] === undefined ? 0 : (parseLength(args[at], whole) ?? NaN);
  const number = (at: number, absent = NaN): number => (args[at] === undefined ? absent : Number(args[at]));
  const angle = (at: number): number => {
    const { number: digits, unit } = parseDimension(args[at] ?? '0');
    return digits * (ANGLES[unit] ?? NaN);
  };
  switch (name) {
    case 'matrix':
      return args.length === 6
        ? [number(0), number(1), number(2), number(3), number(4), number(5)]
        : undefined;
    case 'translate':
    case 'translate3d':
      return [1, 0, 0, 1, length(0, box.width), length(1, box.height)];
    case 'translatex':
      return [1, 0, 0, 1, length(0, box.width), 0];
    case 'translatey':
      return [1, 0, 0, 1, 0, length(0, box.height)];
    case 'translatez':
      return IDENTITY;
    case 'scale':
    case 'scale3d':
      return [number(0), 0, 0, number(1, number(0)), 0, 0];
    case 'scalex':
      return [number(0), 0, 0, 1, 0, 0];
    case 'scaley':
      return [1, 0, 0, number(0), 0, 0];
    case 'rotate':
    case 'rotatez':
      return around(rotation(angle(0)), length(1, 0), length(2, 0));
    case 'skewx':
      return [1, 0, Math.tan(angle(0)), 1, 0, 0];
    case 'skewy':
      return [1, Math.tan(angle(0)), 0, 1, 0, 0];
    case 'skew':
      return [1, Math.tan(angle(1)), Math.tan(angle(0)), 1, 0, 0];
    default:
      return undefined;
  }
}

const rotation = (radians: number): Matrix => {
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  return [cos, sin, -sin, cos, 0, 0];
};

/** The transform with `x`, `y` as its fixed point instead of 0, 0. */
export const around = (matrix: Matrix, x: number, y: number): Matrix =>
  multiply(multiply([1, 0, 0, 1, x, y], matrix), [1, 0, 0, 1, -x, -y]);

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

const SIDES: Readonly<Record<string, string>> = {
  left: '0%',
  top: '0%',
  right: '100%',
  bottom: '100%',
  center: '50%',
};

/** The point of a `transform-origin`, from the box's corner; undefined if it isn't one. */
export function parseOrigin(value: string, { width, height }: Box): { x: number; y: number } | undefined {
  const words = partsOf(value).map((part) => generate(part).toLowerCase());
  if (words[0] === 'top' || words[0] === 'bottom' || words[1] === 'left' || words[1] === 'right')
    words.splice(0, 2, words[1] ?? 'center', words[0] ?? 'center');
  const [first = '', second = 'center'] = words;
  const x = parseLength(SIDES[first] ?? first, width);
  const y = parseLength(SIDES[second] ?? second, height);
  return x === undefined || y === undefined ? undefined : { x, y };
}

export const formatMatrix = (matrix: Matrix): string =>
  `matrix(${matrix.map((value) => Number(value.toFixed(9))).join(' ')})`;
