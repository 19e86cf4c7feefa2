import type { Random } from '../../random/random';
import type { Palette } from './palettes';

/** The input of every painter. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly random: Random;
}

/** Makes an SVG document. */
export type Painter = (canvas: Canvas) => string;

export const svg = ({ width, height }: Canvas, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

export const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${f(x)}" y="${f(y)}" width="${f(width)}" height="${f(height)}" fill="${fill}" ${more}/>`;

export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  `<circle cx="${f(x)}" cy="${f(y)}" r="${f(r)}" fill="${fill}" ${more}/>`;

export const path = (points: readonly Point[], more: string, close = false): string =>
  `<path d="M${points.map(([x, y]) => `${f(x)} ${f(y)}`).join('L')}${close ? 'Z' : ''}" ${more}/>`;

export type Point = readonly [x: number, y: number];

/** A gradient from top to bottom over the whole picture. */
export const sky = (canvas: Canvas, stops: readonly string[]): string =>
  `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">${stops
    .map((colour, i) => `<stop offset="${f(i / (stops.length - 1))}" stop-color="${colour}"/>`)
    .join('')}</linearGradient></defs>${rect(0, 0, canvas.width, canvas.height, 'url(#sky)')}`;

/** A number from `from` to `to`. */
export const between = (random: Random, from: number, to: number): number =>
  from + random.next() * (to - from);

/** Runs `make` this many times and joins the results. */
export const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('');

/** Smooth noise from -1 to 1 along a line: some sines of random phases, finer ones weaker. */
export function ripple(random: Random, octaves: number): (at: number) => number {
  const waves = Array.from({ length: octaves }, (_, i) => ({
    speed: 2 ** i * between(random, 0.8, 1.25),
    phase: between(random, 0, Math.PI * 2),
    weight: 0.55 ** i,
  }));
  const whole = waves.reduce((sum, { weight }) => sum + weight, 0);
  return (at) =>
    waves.reduce((sum, { speed, phase, weight }) => sum + weight * Math.sin(at * speed + phase), 0) / whole;
}

const f = (value: number): string => String(Math.round(value * 100) / 100);
