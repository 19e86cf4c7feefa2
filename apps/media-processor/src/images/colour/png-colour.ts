import { pngChunks } from '../png/png-chunks';
import {
  readCodedColour,
  sourceColour,
  SRGB_PRIMARIES,
  type Point,
  type SourceColour,
} from './source-colour';

/**
 * Reads the colour space of a PNG: from `cICP`, else its ICC profile, else `sRGB`, else `gAMA` with `cHRM` (W3C PNG,
 * third edition, 4.3). upload-service removes chunks that are not valid. libvips reads only the profile. Null for sRGB,
 * and if a profile defines the colours. Throws `UnprocessableFileError` if the PNG is truncated.
 */
export function readPngColour(file: Buffer): SourceColour | null {
  const found = new Map<string, Buffer>();
  for (const { type, body } of pngChunks(file)) {
    if (type === 'IDAT') break;
    if (!found.has(type)) found.set(type, body);
  }
  const cicp = found.get('cICP');
  if (cicp?.length === 4) return readCodedColour({ primaries: cicp[0] ?? 2, transfer: cicp[1] ?? 2 });
  if (found.has('iCCP') || found.has('sRGB')) return null;
  const gamma = found.get('gAMA');
  if (gamma?.length !== 4 || gamma.readUInt32BE(0) === 0) return null;
  return sourceColour(readPrimaries(found.get('cHRM')) ?? SRGB_PRIMARIES, 100_000 / gamma.readUInt32BE(0));
}

/** `cHRM`: white, red, green, blue, each as x and y times 100,000. */
function readPrimaries(body: Buffer | undefined): [Point, Point, Point, Point] | undefined {
  if (body?.length !== 32) return undefined;
  const point = (index: number): Point => [
    body.readUInt32BE(index * 8) / 100_000,
    body.readUInt32BE(index * 8 + 4) / 100_000,
  ];
  const [white, ...colours] = [0, 1, 2, 3].map(point);
  const [red, green, blue] = colours;
  if (!red || !green || !blue || !white) return undefined;
  const isPossible = [red, green, blue, white].every(([x, y]) => y > 0 && x + y <= 1);
  return isPossible ? [red, green, blue, white] : undefined;
}
