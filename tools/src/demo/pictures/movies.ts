import { circle, type Canvas, path, type Point, rect, svg, times } from './drawing';
import { css, shade } from './palettes';

/** Makes frame `index` of `count`; the last frame leads back to the first. */
export type FramePainter = (canvas: Canvas, index: number, count: number) => string;

/** Rings of dots that grow and shrink. */
export const pulse: FramePainter = (canvas, index, count) => {
  const { width, height, palette } = canvas;
  const turn = (index / count) * Math.PI * 2;
  const dots = times(8, (ring) =>
    times(6 + ring * 6, (n) => {
      const angle = (n / (6 + ring * 6)) * Math.PI * 2 + (ring % 2 ? 1 : -1) * (turn / (6 + ring * 6)) * 2;
      const far = (ring + 1) * (height / 19);
      const size = 4 + 5 * (0.5 + 0.5 * Math.sin(turn - ring * 0.8));
      return circle(
        width / 2 + Math.cos(angle) * far,
        height / 2 + Math.sin(angle) * far,
        size,
        css(shade(palette, 0.3 + ring * 0.09)),
      );
    }),
  );
  return svg(canvas, rect(0, 0, width, height, palette[0]) + dots);
};

/** A sea of lines. */
export const swell: FramePainter = (canvas, index, count) => {
  const { width, height, palette } = canvas;
  const turn = (index / count) * Math.PI * 2;
  const lines = times(26, (row) => {
    const points: Point[] = [];
    for (let x = 0; x <= width; x += 8) {
      const swing = Math.sin(x / 60 + row * 0.4 + turn) + 0.5 * Math.sin(x / 31 - row * 0.7 + 2 * turn);
      points.push([x, (row + 1.5) * (height / 27) + swing * 9]);
    }
    return path(
      points,
      `fill="none" stroke="${css(shade(palette, 0.3 + (row / 26) * 0.7))}" stroke-width="3"`,
    );
  });
  return svg(canvas, rect(0, 0, width, height, palette[0]) + lines);
};

/** One square rolling inside another. */
export const squares: FramePainter = (canvas, index, count) => {
  const { width, height, palette } = canvas;
  const turn = (index / count) * 90;
  const nested = times(12, (i) => {
    const side = height * 0.92 * 0.82 ** i;
    const colour = i % 2 ? palette[0] : css(shade(palette, 0.3 + (i / 12) * 0.7));
    return `<rect x="${-side / 2}" y="${-side / 2}" width="${side}" height="${side}" fill="${colour}" transform="translate(${width / 2} ${height / 2}) rotate(${turn * (i % 2 ? -1 : 1) + i * 7.5})"/>`;
  });
  return svg(canvas, rect(0, 0, width, height, palette[0]) + nested);
};
