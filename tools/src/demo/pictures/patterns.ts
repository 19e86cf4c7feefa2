import { between, circle, type Painter, path, type Point, rect, ripple, svg, times } from './drawing';
import { css, shade } from './palettes';

/** Lines that follow a flow field. */
export const flow: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const [across, down] = [ripple(random, 3), ripple(random, 3)];
  const threads = times(600, () => {
    let [x, y] = [between(random, 0, width), between(random, 0, height)];
    const points: Point[] = [[x, y]];
    for (let step = 0; step < 46; step++) {
      const angle = (across((x / width) * 4) + down((y / height) * 4)) * Math.PI;
      [x, y] = [x + Math.cos(angle) * 6, y + Math.sin(angle) * 6];
      points.push([x, y]);
    }
    const colour = css(shade(palette, between(random, 0.25, 1)));
    return path(
      points,
      `fill="none" stroke="${colour}" stroke-width="${between(random, 0.8, 3.2)}" stroke-linecap="round" opacity="0.8"`,
    );
  });
  return svg(canvas, rect(0, 0, width, height, palette[0]) + threads);
};

/** Quarter circles in random orientations (Truchet tiles). */
export const truchet: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const side = 80;
  let tiles = '';
  for (let x = 0; x < width; x += side) {
    for (let y = 0; y < height; y += side) {
      const [a, b] = random.next() < 0.5 ? [0, 1] : [1, 0];
      const arcs = [26, 12].map((stroke, ring) => {
        const look = `fill="none" stroke="${ring === 0 ? palette[2] : palette[4]}" stroke-width="${stroke}"`;
        const r = side / 2;
        return (
          `<circle cx="${x + a * side}" cy="${y}" r="${r}" ${look}/>` +
          `<circle cx="${x + b * side}" cy="${y + side}" r="${r}" ${look}/>`
        );
      });
      tiles += `<svg x="${x}" y="${y}" width="${side}" height="${side}" viewBox="${x} ${y} ${side} ${side}">${rect(x, y, side, side, palette[0])}${arcs.join('')}</svg>`;
    }
  }
  return svg(canvas, tiles);
};

/** Squares, discs and quarters in the style of the Bauhaus. */
export const blocks: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const side = 160;
  let tiles = rect(0, 0, width, height, palette[4]);
  for (let x = 0; x < width; x += side) {
    for (let y = 0; y < height; y += side) {
      const ground = random.pick(palette);
      const figure = random.pick(palette.filter((colour) => colour !== ground));
      const second = random.pick(palette.filter((colour) => colour !== ground && colour !== figure));
      tiles += rect(x, y, side, side, ground);
      tiles += random.pick([
        () =>
          circle(x + side / 2, y + side / 2, side * 0.36, figure) +
          circle(x + side / 2, y + side / 2, side * 0.15, second),
        () => `<path d="M${x} ${y}h${side}a${side} ${side} 0 0 1 -${side} ${side}z" fill="${figure}"/>`,
        () =>
          `<path d="M${x} ${y + side}v-${side}a${side} ${side} 0 0 1 ${side} ${side}z" fill="${figure}"/>`,
        () =>
          path(
            [
              [x, y + side],
              [x + side, y + side],
              [x + side, y],
            ],
            `fill="${figure}"`,
            true,
          ),
        () => times(4, (i) => rect(x, y + i * (side / 4), side, side / 8, figure)),
        () =>
          `<path d="M${x} ${y + side / 2}a${side / 2} ${side / 2} 0 0 1 ${side} 0z" fill="${figure}"/><path d="M${x} ${y + side}a${side / 2} ${side / 2} 0 0 1 ${side} 0z" fill="${second}"/>`,
      ])();
    }
  }
  return svg(canvas, tiles);
};

/** Seeds in the order of a sunflower: one golden angle after the other (H. Vogel, 1979). */
export const seeds: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const golden = Math.PI * (3 - Math.sqrt(5));
  const spread = (Math.min(width, height) / 2) * 0.94;
  const count = 900;
  const turn = between(random, 0, 6);
  const dots = times(count, (i) => {
    const far = Math.sqrt(i / count);
    const angle = i * golden + turn;
    const colour = css(shade(palette, 0.25 + 0.75 * Math.abs(Math.sin(far * 7 + turn))));
    return circle(
      width / 2 + Math.cos(angle) * far * spread,
      height / 2 + Math.sin(angle) * far * spread,
      3 + far * 10,
      colour,
    );
  });
  return svg(canvas, rect(0, 0, width, height, palette[0]) + dots);
};

/** The drawing of two pairs of pendulums until they stop (a harmonograph). */
export const harmonograph: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const pendulum = () => ({
    speed: random.pick([2, 3, 3, 4, 5]) + between(random, -0.012, 0.012),
    phase: between(random, 0, Math.PI * 2),
    size: between(random, 0.35, 0.5),
  });
  const [a, b, c, d] = [pendulum(), pendulum(), pendulum(), pendulum()];
  const reach = Math.min(width, height) * 0.48;
  const swing = (t: number, ...pair: (typeof a)[]): number =>
    pair.reduce((sum, { speed, phase, size }) => sum + size * 2 * Math.sin(t * speed + phase), 0) *
    0.5 *
    Math.exp(-t * 0.008);
  const lines = times(40, (part) => {
    const points: Point[] = [];
    for (let step = 0; step <= 130; step++) {
      const t = (part * 130 + step) * 0.028;
      points.push([width / 2 + swing(t, a, b) * reach * 1.3, height / 2 + swing(t, c, d) * reach]);
    }
    return path(
      points,
      `fill="none" stroke="${css(shade(palette, 0.45 + (part / 40) * 0.5))}" stroke-width="1.6" opacity="0.85"`,
    );
  });
  return svg(canvas, rect(0, 0, width, height, palette[0]) + lines);
};

/** Contour lines of an invented country. */
export const contours: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const cx = width * between(random, 0.35, 0.65);
  const cy = height * between(random, 0.35, 0.65);
  const rings = 26;
  const wave = ripple(random, 5);
  const drift = ripple(random, 3);
  const lines = times(rings, (n) => {
    const ring = rings - n;
    const r = (ring / rings) ** 0.9 * Math.max(width, height) * 0.72;
    const points = Array.from({ length: 180 }, (_, i): Point => {
      const angle = (i / 180) * Math.PI * 2;
      const bend =
        1 +
        0.22 * wave(Math.cos(angle) * 2.2 + ring * 0.09) +
        0.18 * drift(Math.sin(angle) * 2.4 - ring * 0.07);
      return [cx + Math.cos(angle) * r * bend * 1.15, cy + Math.sin(angle) * r * bend * 0.85];
    });
    const fill = css(shade(palette, 0.95 - 0.55 * (ring / rings)));
    return path(
      points,
      `fill="${fill}" stroke="${palette[0]}" stroke-width="${ring % 5 === 0 ? 2.4 : 0.8}" stroke-opacity="0.55"`,
      true,
    );
  });
  return svg(canvas, rect(0, 0, width, height, css(shade(palette, 0.35))) + lines);
};

/** A planet with rings, and its small neighbours. */
export const planet: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const r = height * between(random, 0.2, 0.27);
  const [x, y] = [width * between(random, 0.4, 0.6), height * between(random, 0.45, 0.55)];
  const tilt = between(random, -24, 24);
  const stars = times(260, () =>
    circle(
      between(random, 0, width),
      between(random, 0, height),
      between(random, 0.4, 2),
      palette[4],
      `opacity="${between(random, 0.2, 1)}"`,
    ),
  );
  const bands = times(14, (i) => {
    const top = y - r + (i / 14) * 2 * r;
    return rect(
      x - r,
      top,
      2 * r,
      (r / 7) * between(random, 0.5, 1.2),
      css(shade(palette, between(random, 0.35, 0.95))),
    );
  });
  const ring = (half: 0 | 1) =>
    times(5, (i) => {
      const [rx, ry] = [r * (1.5 + i * 0.16), r * (0.32 + i * 0.034)];
      return `<path d="M${x - rx} ${y}a${rx} ${ry} 0 0 ${half} ${2 * rx} 0" fill="none" stroke="${css(shade(palette, 0.5 + i * 0.1))}" stroke-width="${r * 0.07}" opacity="0.85"/>`;
    });
  const moons = times(3, () =>
    circle(
      between(random, 0.05, 0.95) * width,
      between(random, 0.08, 0.9) * height,
      between(random, 6, 24),
      css(shade(palette, between(random, 0.5, 0.9))),
    ),
  );
  const ball = `<defs><clipPath id="ball"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath><radialGradient id="light" cx="0.35" cy="0.3" r="0.8"><stop offset="0.3" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.75"/></radialGradient></defs><g clip-path="url(#ball)">${rect(x - r, y - r, 2 * r, 2 * r, palette[2])}${bands}</g>${circle(x, y, r, 'url(#light)')}`;
  return svg(
    canvas,
    rect(0, 0, width, height, palette[0]) +
      stars +
      moons +
      `<g transform="rotate(${tilt} ${x} ${y})">${ring(1)}${ball}${ring(0)}</g>`,
  );
};

/** An account's avatar: one random quarter and its mirror images. It must not look like a face. */
export const emblem: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const cell = width / 7;
  const ground = random.pick([palette[0], palette[4]]);
  const colours = palette.filter((colour) => colour !== ground);
  let cells = rect(0, 0, width, height, ground);
  for (let row = 1; row < 4; row++) {
    for (let column = 1; column < 4; column++) {
      if (random.next() < 0.35) continue;
      const colour = random.pick(colours);
      const round = random.next() < 0.4;
      for (const x of new Set([column, 6 - column])) {
        for (const y of new Set([row, 6 - row])) {
          cells += round
            ? circle((x + 0.5) * cell, (y + 0.5) * cell, cell / 2, colour)
            : rect(x * cell, y * cell, cell + 0.5, cell + 0.5, colour);
        }
      }
    }
  }
  return svg(canvas, cells);
};
