import type { ByteRange } from '../../bytes/byte-ranges';
import { UnreadableFileError } from '../../errors/file-errors';

/** No file within the size limit has more pictures. */
const MAX_SAMPLES = 2_000_000;
/** Two tracks may share samples; if many did, the file would be read many times. */
const MAX_READS = 2;

/** Collects one track's samples. */
export interface TrackSamples {
  add(from: number, size: number): void;
}

/** A sample, and the number of its track, as `track()` returned it. */
export interface Sample extends ByteRange {
  readonly track: number;
}

/**
 * The positions of the samples of a file's picture tracks. The limits hold for all tracks together, because a file may
 * have a thousand tracks on the same bytes.
 */
export class SampleList {
  private readonly starts: number[] = [];
  private readonly sizes: number[] = [];
  private readonly owners: number[] = [];
  private tracks = 0;
  private bytesLeft: number;

  constructor(fileSize: number) {
    this.bytesLeft = fileSize * MAX_READS;
  }

  /** Adds another track. */
  track(): TrackSamples & { readonly index: number } {
    const index = this.tracks++;
    return { index, add: (from, size) => this.add(index, from, size) };
  }

  private add(track: number, from: number, size: number): void {
    if (size === 0) return;
    this.bytesLeft -= size;
    if (this.starts.length >= MAX_SAMPLES || this.bytesLeft < 0)
      throw new UnreadableFileError('The movie has too many samples.');
    this.starts.push(from);
    this.sizes.push(size);
    this.owners.push(track);
  }

  /**
   * The samples of all tracks in the order of the file, so that the file is read once from front to back. Leaves out
   * a sample that starts inside another one of its track.
   */
  *inOrder(): Generator<Sample> {
    const order = Uint32Array.from(this.starts.keys());
    order.sort((a, b) => (this.starts[a] ?? 0) - (this.starts[b] ?? 0));
    const ends = new Float64Array(this.tracks);
    for (const index of order) {
      const from = this.starts[index] ?? 0;
      const track = this.owners[index] ?? 0;
      if (from < (ends[track] ?? 0)) continue;
      const to = from + (this.sizes[index] ?? 0);
      ends[track] = to;
      yield { from, to, track };
    }
  }
}
