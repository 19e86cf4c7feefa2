import { between, circle, type Painter, path, type Point, rect, ripple, sky, svg, times } from './drawing';
import { css, shade } from './palettes';

/** Mountains behind mountains, the farther the paler. */
export const ridges: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const layers = random.integer(5, 7);
  const sunX = between(random, 0.2, 0.8) * width;
  const sunY = between(random, 0.2, 0.38) * height;
  const glow = times(6, (i) => circle(sunX, sunY, height * (0.06 + i * 0.045), palette[4], 'opacity="0.13"'));
  const hills = times(layers, (layer) => {
    const depth = layer / (layers - 1);
    const base = height * (0.42 + 0.48 * depth);
    const wave = ripple(random, 6);
    const points: Point[] = [];
    for (let x = 0; x <= width + 8; x += 8) {
      points.push([x, base + wave((x / width) * (5 - 2 * depth)) * height * (0.13 - 0.05 * depth)]);
    }
    points.push([width, height], [0, height]);
    return path(points, `fill="${css(shade(palette, 0.62 * (1 - depth)))}"`, true);
  });
  return svg(
    canvas,
    sky(canvas, [palette[2], palette[3], palette[4]]) +
      glow +
      circle(sunX, sunY, height * 0.055, palette[4]) +
      hills,
  );
};

/** A low sun over water, with its road of light. */
export const sea: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const horizon = height * between(random, 0.48, 0.6);
  const x = between(random, 0.3, 0.7) * width;
  const r = height * between(random, 0.08, 0.13);
  const clouds = times(14, () => {
    const y = between(random, 0.04, 0.9) * horizon;
    const w = between(random, 0.1, 0.4) * width;
    return `<ellipse cx="${between(random, 0, width)}" cy="${y}" rx="${w / 2}" ry="${between(random, 3, 14)}" fill="${palette[4]}" opacity="${between(random, 0.06, 0.2)}"/>`;
  });
  const water = `<defs><linearGradient id="water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette[2]}"/><stop offset="1" stop-color="${palette[0]}"/></linearGradient></defs>${rect(0, horizon, width, height - horizon, 'url(#water)')}`;
  const glints = times(220, () => {
    const near = random.next() ** 1.6;
    const y = horizon + 2 + near * (height - horizon);
    const spread = r * (0.5 + near * 2.4);
    const length = (6 + near * 70) * between(random, 0.4, 1);
    return rect(
      x + between(random, -spread, spread) - length / 2,
      y,
      length,
      1 + near * 4,
      palette[4],
      `rx="2" opacity="${between(random, 0.15, 0.75)}"`,
    );
  });
  const sun = `<clipPath id="above"><rect x="0" y="0" width="${width}" height="${horizon}"/></clipPath><g clip-path="url(#above)">${times(5, (i) => circle(x, horizon - r * 0.25, r * (1.3 + i * 0.5), palette[4], 'opacity="0.1"'))}${circle(x, horizon - r * 0.25, r, palette[4])}</g>`;
  return svg(canvas, sky(canvas, [palette[1], palette[2], palette[3]]) + clouds + sun + water + glints);
};

/** Lit windows under stars. */
export const skyline: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const stars = times(160, () =>
    circle(
      between(random, 0, width),
      between(random, 0, height * 0.6),
      between(random, 0.4, 1.8),
      palette[4],
      `opacity="${between(random, 0.2, 0.9)}"`,
    ),
  );
  const moon = circle(width * between(random, 0.15, 0.85), height * 0.18, height * 0.06, palette[4]);
  const rows = times(3, (row) => {
    const fill = css(shade(palette, [0.34, 0.2, 0][row] ?? 0));
    let houses = '';
    for (let x = -20; x < width;) {
      const w = between(random, 46, 120);
      const h = height * between(random, 0.2, 0.42 - row * 0.02) * (1 - row * 0.18) + height * 0.08;
      const top = height - h;
      houses += rect(x, top, w, h, fill);
      if (random.next() < 0.25) houses += rect(x + w / 2 - 1.5, top - 34, 3, 34, fill);
      if (row > 0) {
        for (let wy = top + 12; wy < height - 14; wy += 18) {
          for (let wx = x + 9; wx < x + w - 12; wx += 15) {
            if (random.next() < 0.34)
              houses += rect(wx, wy, 7, 9, palette[3], `opacity="${between(random, 0.45, 1)}"`);
          }
        }
      }
      x += w + between(random, -6, 14);
    }
    return houses;
  });
  return svg(canvas, sky(canvas, [palette[0], palette[1], palette[2]]) + stars + moon + rows);
};

/** Bare dunes in raking light. */
export const dunes: Painter = (canvas) => {
  const { width, height, palette, random } = canvas;
  const layers = 6;
  const sand = times(layers, (layer) => {
    const depth = layer / (layers - 1);
    const base = height * (0.4 + 0.5 * depth);
    const wave = ripple(random, 3);
    const crest: Point[] = [];
    for (let x = 0; x <= width + 10; x += 10) {
      crest.push([x, base + wave((x / width) * (4 - depth)) * height * 0.12]);
    }
    const light = path(
      [...crest, [width, height], [0, height]],
      `fill="${css(shade(palette, 0.78 - 0.3 * depth))}"`,
      true,
    );
    const shadow = crest.map(([x, y]): Point => [x + 70 + 60 * depth, y + height * (0.1 + 0.12 * depth)]);
    return (
      light +
      path(
        [...crest, ...shadow.reverse()],
        `fill="${css(shade(palette, 0.5 - 0.3 * depth))}" opacity="0.75"`,
        true,
      )
    );
  });
  return svg(
    canvas,
    sky(canvas, [palette[3], palette[4]]) +
      circle(width * 0.78, height * 0.2, height * 0.06, '#fff', 'opacity="0.85"') +
      sand,
  );
};
