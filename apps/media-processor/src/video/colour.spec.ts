import { join } from 'node:path';
import { describeWithFfmpeg, type Rgb } from '@vitrine/testing';
import { Bench } from '../../test/samples/jobs';
import {
  DIFFUSE_WHITE,
  meantColour,
  pqSignal,
  type Codes,
  type Triple,
} from '../../test/samples/video-colours';
import {
  distance,
  ffmpeg,
  middles,
  PATCH,
  patches,
  PLAYED,
  rawPatches,
  ROUNDING,
} from '../../test/samples/video-patches';
import { toBt709 } from './colour';
import type { ColourTags } from './colour-tags';

/** Expects each colour to be close to the one that is meant, and names what it belongs to if it isn't. */
function expectColours(what: unknown, shown: readonly Rgb[], meant: readonly Rgb[]): void {
  const near = shown.map((colour, index) => {
    const wanted = meant[index] ?? [0, 0, 0];
    return distance(colour, wanted) <= ROUNDING ? wanted : colour;
  });
  expect([what, near]).toEqual([what, meant]);
}

describeWithFfmpeg('toBt709', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  describe('converts PQ as the standards say', () => {
    const PQ: Codes = { primaries: 9, transfer: 16, matrix: 9 };
    const TAGS: ColourTags = {
      colour: { matrix: 'bt2020nc', transfer: 'smpte2084', primaries: 'bt2020', range: 'tv' },
      stored: { height: PATCH },
    };
    const steps = (from: Triple, to: Triple): Triple[] =>
      Array.from({ length: 17 }, (_, step): Triple => {
        const at = (index: 0 | 1 | 2): number => from[index] + ((to[index] - from[index]) * step) / 16;
        return [at(0), at(1), at(2)];
      });
    const yuv = ([r, g, b]: Triple): Triple => {
      const y = 0.2627 * r + 0.678 * g + 0.0593 * b;
      return [y, (b - y) / 1.8814, (r - y) / 1.4746];
    };

    it.each<readonly [string, readonly Triple[]]>([
      ['white and greys', steps([0, 0, 0], [DIFFUSE_WHITE, DIFFUSE_WHITE, DIFFUSE_WHITE])],
      ['highlights', steps([DIFFUSE_WHITE, DIFFUSE_WHITE, DIFFUSE_WHITE], [1000, 1000, 1000])],
      ['skin tones', [...steps([107, 67, 50], [20, 10, 6])]],
      ['red of BT.2020', steps([1, 0, 0], [200, 0, 0])],
      ['green of BT.2020', steps([0, 1, 0], [0, 200, 0])],
      ['blue of BT.2020', steps([0, 0, 1], [0, 0, 200])],
      ['a gradient from blue to red', steps([0, 0, 150], [150, 0, 0])],
      ['a gradient from green to white', steps([0, 150, 0], [200, 200, 200])],
    ])('%s', (_, lights) => {
      const colours = lights.map(([r, g, b]) => yuv([pqSignal(r), pqSignal(g), pqSignal(b)]));
      const filters = toBt709(TAGS, { width: PATCH * lights.length, height: PATCH });
      const shownBy = ['-vf', [...filters, PLAYED].join(','), '-f', 'rawvideo', '-'];
      const rgb = ffmpeg([...rawPatches(lights.length), ...shownBy], patches(colours));
      const [shown = []] = middles(rgb, lights.length);
      expectColours(
        lights,
        shown,
        colours.map((colour) => meantColour(colour, PQ)),
      );
    });
  });

  it('converts a video with each code of H.273 as its tables say', () => {
    const SDR: Codes = { primaries: 1, transfer: 1, matrix: 1 };
    const upTo = (last: number): number[] => [...Array.from({ length: last + 1 }, (_, code) => code), 255];
    const tracks: Codes[] = [
      ...upTo(23).map((primaries) => ({ ...SDR, primaries })),
      ...upTo(23).map((primaries) => ({ primaries, transfer: 16, matrix: 9 })),
      ...upTo(19)
        .filter((code) => ![16, 18].includes(code))
        .map((transfer) => ({ ...SDR, transfer })),
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 255].map((matrix) => ({ ...SDR, matrix })),
      ...[10, 12, 13].map((matrix) => ({ primaries: 9, transfer: 14, matrix })),
      { primaries: 9, transfer: 16, matrix: 14 },
    ];
    // Greenish, reddish, bluish, grey and skin, none of them far from grey.
    const colours: Triple[] = [
      [0.45, -0.08, -0.12],
      [0.4, -0.05, 0.15],
      [0.3, 0.15, -0.03],
      [0.5, 0, 0],
      [0.7, -0.07, 0.07],
    ];
    const [plain, path] = [join(bench.folder, 'plain.mkv'), join(bench.folder, 'every-code.mkv')];
    const size = { width: PATCH * colours.length, height: PATCH };
    ffmpeg(
      [...rawPatches(colours.length), ...'-pix_fmt yuv420p10le -c:v libx264 -qp 0'.split(' '), plain],
      patches(colours),
    );
    const tagged = tracks.flatMap(({ primaries, transfer, matrix }, index) => [
      `-bsf:v:${index}`,
      `h264_metadata=colour_primaries=${primaries}:transfer_characteristics=${transfer}:matrix_coefficients=${matrix}`,
    ]);
    ffmpeg(['-i', plain, ...tracks.flatMap(() => ['-map', '0:v']), '-c', 'copy', ...tagged, path]);
    const chains = bench.probe(path).map((stream, index) => {
      const tag = (name: string): string => String(stream[name] ?? 'unknown');
      const colour = {
        ...{ matrix: tag('color_space'), transfer: tag('color_transfer') },
        ...{ primaries: tag('color_primaries'), range: tag('color_range') },
      };
      const filters = toBt709({ colour, stored: size }, size);
      return `[0:${index}]${[...filters, PLAYED].join(',')}[c${index}]`;
    });
    const stack = `${tracks.map((_, index) => `[c${index}]`).join('')}vstack=inputs=${tracks.length}`;
    const graph = ['-filter_complex', [...chains, stack].join(';'), '-frames:v', '1'];
    const shown = middles(ffmpeg(['-i', path, ...graph, '-f', 'rawvideo', '-']), colours.length);
    expect(shown).toHaveLength(tracks.length);
    const off = tracks.flatMap((codes, index) => {
      const meant = colours.map((colour) => meantColour(colour, codes));
      const seen = shown[index] ?? [];
      return meant.some((colour, patch) => distance(colour, seen[patch] ?? [0, 0, 0]) > ROUNDING)
        ? [{ codes, meant: meant.join('  '), seen: seen.join('  ') }]
        : [];
    });
    expect(off).toEqual([]);
  });
});
