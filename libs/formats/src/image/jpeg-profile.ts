import { concatBytes } from '../bytes/arrays';
import { asciiBytes, hasAscii } from '../bytes/text';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import type { ProfileSpace } from '../metadata/plain-profile';
import type { Segment } from '../rewriting/rewrite';

const NAME = 'ICC_PROFILE\0';
/** After the name: the number of this chunk, from 1, and the number of chunks (ICC.1:2022, annex B.4). */
const CHUNK_HEADER = NAME.length + 2;
/** Bytes of a profile that fit into one segment. */
const CHUNK = 0xffff - 2 - CHUNK_HEADER;

const SPACES: ReadonlyMap<number, ProfileSpace> = new Map([
  [1, 'GRAY'],
  [3, 'RGB '],
  [4, 'CMYK'],
]);

/** Collects the colour profile that a JPEG holds in chunks. */
export class JpegProfile {
  private readonly chunks = new Map<number, { readonly segment: Segment; readonly bytes: Uint8Array }>();
  private count = 0;
  private size = 0;

  /**
   * Takes the content of a segment; `[from, to)` is its position in the file with its marker. Returns whether it was
   * a chunk of a profile.
   */
  take(from: number, to: number, data: Uint8Array): boolean {
    if (!hasAscii(data, 0, NAME) || data.length < CHUNK_HEADER) return false;
    const [number = 0, count = 0] = data.subarray(NAME.length);
    if (this.chunks.size === 0) this.count = count;
    this.size += data.length - CHUNK_HEADER;
    // A chunk with a number that came before belongs to another profile.
    if (count === this.count && !this.chunks.has(number) && this.size <= MAX_PROFILE_BYTES)
      this.chunks.set(number, { segment: { from, to }, bytes: data.slice(CHUNK_HEADER) });
    return true;
  }

  /**
   * The segments of the profile of a picture with this number of colour components: the file's own if nothing had to be
   * removed, none if the profile is invalid or for other pixels.
   */
  segments(components: number, write: (data: Uint8Array) => Uint8Array): Segment[] {
    const chunks = Array.from({ length: this.count }, (_, i) => this.chunks.get(i + 1));
    const whole = chunks.filter((chunk) => chunk !== undefined);
    if (whole.length < chunks.length || whole.length === 0) return [];
    const profile = concatBytes(whole.map(({ bytes }) => bytes));
    const space = SPACES.get(components);
    const clean = space ? cleanProfile(profile, [space]) : null;
    if (!clean) return [];
    if (clean === profile) return whole.map(({ segment }) => segment);
    const count = Math.ceil(clean.length / CHUNK);
    return Array.from({ length: count }, (_, i) => {
      const part = clean.subarray(i * CHUNK, (i + 1) * CHUNK);
      return { bytes: write(concatBytes([asciiBytes(NAME), Uint8Array.of(i + 1, count), part])) };
    });
  }
}
