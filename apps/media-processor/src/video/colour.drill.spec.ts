import { describeWithFfmpeg } from '@vitrine/testing';
import { type Codes, meantColour, type Triple } from '../../test/samples/video-colours';
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
import { matrixName, primariesName, rangeName, transferName } from '../bundled-tools/colour-names';
import { toBt709 } from './colour';

const upTo = (last: number): number[] => [...Array.from({ length: last + 1 }, (_, code) => code), 255];
/** Unspecified, limited and full, as ffprobe's values. */
const RANGES = [0, 1, 2] as const;
const LIMITED = 1;
/** Chains of filters in one run of ffmpeg, whose argument may have 128 KiB. */
const AT_ONCE = 60;
/** Not far from grey, so that no primaries put them outside of BT.709: greenish, reddish, bluish, grey. */
const COLOURS: readonly Triple[] = [
  [0.47, -0.03, -0.04],
  [0.42, -0.02, 0.05],
  [0.4, 0.05, -0.01],
  [0.5, 0, 0],
];
const SIZE = { width: PATCH * COLOURS.length, height: PATCH };

interface Video extends Codes {
  readonly range: number;
}

/**
 * The codes of H.273 (tables 2 to 4, the next reserved code, and 255): every matrix with every range, every primaries with
 * every transfer, and every matrix with BT.709, BT.2020 and their transfers, because a matrix may depend on the primaries.
 * Only those that give other filters than those before.
 */
function distinctVideos(): Map<string, Video> {
  const videos: Video[] = [
    ...upTo(15).flatMap((matrix) => RANGES.map((range) => ({ primaries: 1, transfer: 1, matrix, range }))),
    ...upTo(23).flatMap((primaries) =>
      upTo(19).map((transfer) => ({ primaries, transfer, matrix: 1, range: LIMITED })),
    ),
    ...[9, 1].flatMap((primaries) =>
      [1, 14, 16, 18].flatMap((transfer) =>
        upTo(15).map((matrix) => ({ primaries, transfer, matrix, range: LIMITED })),
      ),
    ),
  ];
  const chains = new Map<string, Video>();
  for (const video of videos) {
    const colour = {
      ...{ primaries: primariesName(video.primaries), transfer: transferName(video.transfer) },
      ...{ matrix: matrixName(video.matrix), range: rangeName(video.range) },
    };
    const chain = toBt709({ colour, stored: SIZE }, SIZE).join(',');
    if (!chains.has(chain)) chains.set(chain, video);
  }
  return chains;
}

/** Whether `meantColour` knows the colours: not those of HLG, and of few primaries with matrices that depend on them or are wide. */
function isKnown({ primaries, transfer, matrix, range }: Video): boolean {
  if (range !== LIMITED || transfer === 18) return false;
  return ![8, 12, 13].includes(matrix) || primaries === 1 || (primaries === 9 && matrix !== 8);
}

describeWithFfmpeg('every code of H.273', () => {
  it('is converted to what its tables say', () => {
    const all = [...distinctVideos()];
    const off: unknown[] = [];
    for (let first = 0; first < all.length; first += AT_ONCE) {
      const some = all.slice(first, first + AT_ONCE);
      const pads = some.map((_, at) => `[i${at}]`).join('');
      const chains = some.map(([chain], at) => `[i${at}]${chain},${PLAYED}[o${at}]`);
      const stack = `${some.map((_, at) => `[o${at}]`).join('')}vstack=inputs=${some.length}`;
      const graph = [`[0:v]split=${some.length}${pads}`, ...chains, stack].join(';');
      const shownBy = ['-filter_complex', graph, '-frames:v', '1', '-f', 'rawvideo', '-'];
      const shown = middles(
        ffmpeg([...rawPatches(COLOURS.length), ...shownBy], patches(COLOURS)),
        COLOURS.length,
      );
      expect(shown).toHaveLength(some.length);
      for (const [at, [, codes]] of some.entries()) {
        if (!isKnown(codes)) continue;
        const meant = COLOURS.map((colour) => meantColour(colour, codes));
        if (meant.some((colour, patch) => distance(colour, shown[at]?.[patch] ?? [0, 0, 0]) > ROUNDING))
          off.push({ codes, meant: meant.join('  '), seen: shown[at]?.join('  ') });
      }
    }
    expect(off).toEqual([]);
  });
});
