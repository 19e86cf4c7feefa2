/** Five colours that go together, from dark to light. */
export type Palette = readonly [string, string, string, string, string];

export const PALETTES = {
  dusk: ['#1b1b3a', '#53366b', '#b5446e', '#f2836b', '#fcd8a4'],
  dawn: ['#22333b', '#3f6c7a', '#7fb7be', '#f3c9a5', '#fdf0d5'],
  forest: ['#10231c', '#1f4d3a', '#3f8f5f', '#a7c957', '#f2e8cf'],
  sea: ['#03213a', '#075985', '#0ea5b7', '#7dd8d3', '#f0fbf7'],
  desert: ['#3a1c14', '#8a3b1e', '#d1703c', '#eab676', '#fbeedb'],
  ice: ['#0d1b2a', '#1b3a5c', '#4b7ea8', '#a9cfe3', '#f4fafd'],
  candy: ['#2b1140', '#7a2f8f', '#e0479e', '#ff9e7a', '#fff0c9'],
  print: ['#1d1d1d', '#d7352a', '#20639b', '#f2b134', '#f6efe2'],
  moss: ['#1c1f12', '#4a5424', '#8a9a3b', '#d4c972', '#f7f3dc'],
  night: ['#070b18', '#141e3c', '#2b4478', '#e9b44c', '#f6e7b8'],
} as const satisfies Readonly<Record<string, Palette>>;

export type PaletteName = keyof typeof PALETTES;

/** Red, green, blue of `#rrggbb`, 0 to 255. */
export function rgb(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** A colour of a palette seen as a gradient, `at` from 0 to 1. */
export function shade(palette: Palette, at: number): [number, number, number] {
  const place = Math.min(0.9999, Math.max(0, at)) * (palette.length - 1);
  const index = Math.floor(place);
  const [from, to] = [rgb(palette[index] ?? palette[0]), rgb(palette[index + 1] ?? palette[4])];
  const part = place - index;
  return [0, 1, 2].map((i) => Math.round((from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * part)) as [
    number,
    number,
    number,
  ];
}

export const css = ([red, green, blue]: readonly [number, number, number]): string =>
  `rgb(${red},${green},${blue})`;
