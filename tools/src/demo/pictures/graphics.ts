import {
  between,
  circle,
  type Canvas,
  type Painter,
  path,
  type Point,
  rect,
  ripple,
  svg,
  times,
} from './drawing';
import { css, shade } from './palettes';

const SANS = `font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif"`;

const text = (x: number, y: number, size: number, fill: string, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${SANS} ${more}>${words.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</text>`;

/** A poster of a few words, one to a line. */
export const poster =
  (...words: readonly string[]): Painter =>
  (canvas) => {
    const { width, height, palette, random } = canvas;
    const ground = random.pick([palette[4], palette[0], palette[2]]);
    const ink = ground === palette[4] ? palette[0] : palette[4];
    const accent = ground === palette[2] ? palette[0] : palette[3];
    const r = width * between(random, 0.28, 0.4);
    const figure = random.pick([
      () => circle(width * 0.72, height * 0.3, r, accent),
      () =>
        times(9, (i) => rect(0, height * (0.08 + i * 0.05), width * (1 - i * 0.09), height * 0.022, accent)),
      () => times(6, (i) => circle(width / 2, height * 0.32, r * (1.2 - i * 0.19), i % 2 ? ground : accent)),
      () =>
        path(
          [
            [0, height * 0.55],
            [width, height * 0.08],
            [width, height * 0.4],
            [0, height * 0.75],
          ],
          `fill="${accent}"`,
          true,
        ),
    ])();
    const longest = Math.max(...words.map((word) => word.length));
    const size = Math.min(height * 0.16, (width * 0.86) / (longest * 0.78));
    const lines = words.map((word, i) =>
      text(
        width * 0.07,
        height * 0.93 - (words.length - 1 - i) * size * 1.02,
        size,
        ink,
        word,
        'font-weight="bold"',
      ),
    );
    return svg(canvas, rect(0, 0, width, height, ground) + figure + lines.join(''));
  };

/** Lines over time. */
export const lineChart =
  (title: string, ...series: readonly string[]): Painter =>
  (canvas) => {
    const { palette, random } = canvas;
    const frame = chartFrame(canvas, title);
    const lines = series.map((name, i) => {
      const wave = ripple(random, 5);
      const level = 0.25 + (i / series.length) * 0.5;
      const points = Array.from({ length: 97 }, (_, x): Point => {
        const value = level + 0.24 * wave(x / 14);
        return [frame.x(x / 96), frame.y(value)];
      });
      const colour = css(shade(palette, 0.25 + (i / series.length) * 0.55));
      const [lastX, lastY] = points.at(-1) ?? [0, 0];
      return (
        path(
          [...points, [frame.x(1), frame.y(0)], [frame.x(0), frame.y(0)]],
          `fill="${colour}" opacity="0.1"`,
          true,
        ) +
        path(points, `fill="none" stroke="${colour}" stroke-width="4" stroke-linejoin="round"`) +
        text(lastX - 10, lastY - 14, 24, colour, name, 'text-anchor="end" font-weight="bold"')
      );
    });
    return svg(canvas, frame.drawing + lines.join(''));
  };

/** Bars side by side, largest first. */
export const barChart =
  (title: string, ...labels: readonly string[]): Painter =>
  (canvas) => {
    const { palette, random } = canvas;
    const frame = chartFrame(canvas, title);
    const values = labels.map(() => between(random, 0.12, 0.95)).sort((a, b) => b - a);
    const bars = labels.map((label, i) => {
      const [left, right] = [frame.x((i + 0.14) / labels.length), frame.x((i + 0.86) / labels.length)];
      const value = values[i] ?? 0;
      return (
        rect(
          left,
          frame.y(value),
          right - left,
          frame.y(0) - frame.y(value),
          css(shade(palette, 0.2 + 0.6 * (i / labels.length))),
          'rx="4"',
        ) +
        text((left + right) / 2, frame.y(0) + 34, 24, palette[0], label, 'text-anchor="middle"') +
        text(
          (left + right) / 2,
          frame.y(value) - 12,
          22,
          palette[0],
          String(Math.round(value * 100)),
          'text-anchor="middle"',
        )
      );
    });
    return svg(canvas, frame.drawing + bars.join(''));
  };

function chartFrame({ width, height, palette }: Canvas, title: string) {
  const [left, right, top, bottom] = [90, width - 60, 150, height - 90];
  const x = (at: number): number => left + at * (right - left);
  const y = (at: number): number => bottom - at * (bottom - top);
  const grid = times(6, (i) =>
    rect(
      left,
      y(i / 5) - 1,
      right - left,
      i === 0 ? 3 : 1.5,
      palette[0],
      `opacity="${i === 0 ? 0.8 : 0.15}"`,
    ),
  );
  const scale = times(6, (i) =>
    text(left - 14, y(i / 5) + 8, 22, palette[0], String(i * 20), 'text-anchor="end" opacity="0.7"'),
  );
  return {
    x,
    y,
    drawing:
      rect(0, 0, width, height, palette[4]) +
      text(left, 90, 44, palette[0], title, 'font-weight="bold"') +
      grid +
      scale,
  };
}

/** A knitting or weaving draft. */
export const weave: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const cell = 16;
  const period = random.integer(6, 10);
  const [a, b] = [ripple(random, 3), ripple(random, 2)];
  let cells = rect(0, 0, width, height, palette[4]);
  for (let row = 0; row * cell < height; row++) {
    for (let column = 0; column * cell < width; column++) {
      const fold = (n: number): number => Math.abs((n % (2 * period)) - period);
      const value =
        fold(column) +
        fold(row) +
        Math.round(2 * a(fold(column + row) / 2) + 2 * b(fold(column - row + 40 * period) / 3));
      const colour = palette[((value % 4) + 4) % 4] ?? palette[0];
      cells += rect(column * cell + 1, row * cell + 1, cell - 2, cell - 2, colour, 'rx="4"');
    }
  }
  return svg(canvas, cells);
};
