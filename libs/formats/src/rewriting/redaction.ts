import { type ByteSource, SourceWindow } from '../bytes/byte-source';
import { UnreadableFileError } from '../errors/file-errors';
import type { Rewrite, Segment } from './rewrite';

/**
 * The largest accepted file has fewer packets than this. A file that needs more changes was made to exhaust memory.
 */
const MAX_EDITS = 600_000;
/** Limit of the replacements in memory, which are held until the file is written. */
const MAX_LITERAL_BYTES = 1 << 26;
const CHUNK = 1 << 16;

type Replacement = Uint8Array | number | null;

interface Edit {
  readonly from: number;
  to: number;
  /** Bytes of any length, a byte value to fill with, or null to leave the range out. */
  readonly put: Replacement;
}

const fillers = new Map<number, Uint8Array>();

function filler(value: number): Uint8Array {
  let bytes = fillers.get(value);
  if (!bytes) fillers.set(value, (bytes = new Uint8Array(CHUNK).fill(value)));
  return bytes;
}

/** Collects the changes to a file, in any order, and turns them into a `Rewrite`. */
export class Redaction {
  private readonly edits: Edit[] = [];
  private readonly literals = new Set<Uint8Array>();
  private literalBytes = 0;
  private readonly dependents: { readonly edit: Edit; readonly within: number; readonly to: number }[] = [];

  constructor(private readonly source: ByteSource) {}

  /** Overwrites `[from, to)` with one byte value, zero by default. */
  fill(from: number, to: number, value = 0): void {
    this.add(from, Math.min(to, this.source.size), value);
  }

  /** Overwrites as many bytes at `from` as `bytes` has. Many edits may share one array. */
  overwrite(from: number, bytes: Uint8Array): void {
    if (!this.literals.has(bytes)) {
      this.literals.add(bytes);
      this.literalBytes += bytes.length;
      if (this.literalBytes > MAX_LITERAL_BYTES)
        throw new UnreadableFileError('The file holds too much to scrub.');
    }
    this.add(from, from + bytes.length, bytes);
  }

  /** Leaves `[from, to)` out; the bytes after it move up. */
  cut(from: number, to: number): void {
    this.add(from, Math.min(to, this.source.size), null);
  }

  /**
   * Overwrites the bytes at `from` if anything else in `[within, to)` changes, because a checksum would then be
   * wrong.
   */
  overwriteIfChanged(from: number, bytes: Uint8Array, within: number, to: number): void {
    if (this.dependents.length >= MAX_EDITS) throw new UnreadableFileError('The file is too fragmented.');
    this.dependents.push({ edit: { from, to: from + bytes.length, put: bytes }, within, to });
  }

  /** The rewrite; null if no edit changes anything. Throws `UnreadableFileError` if edits overlap. */
  async rewrite(): Promise<Rewrite> {
    const changes = await this.changes();
    const segments: Segment[] = [];
    let copied = 0;
    for (const edit of changes) {
      if (edit.from > copied) segments.push({ from: copied, to: edit.from });
      segments.push(...literal(edit));
      copied = edit.to;
    }
    if (copied === 0 && segments.length === 0) return null;
    if (copied < this.source.size) segments.push({ from: copied, to: this.source.size });
    return segments;
  }

  /** The edits that change something, in order. */
  private async changes(): Promise<readonly Edit[]> {
    this.edits.sort((a, b) => a.from - b.from);
    const window = new SourceWindow(this.source);
    const changes: Edit[] = [];
    let checked = 0;
    for (const edit of this.edits) {
      if (edit.from < checked || edit.to > this.source.size) {
        throw new UnreadableFileError('Structures of the file overlap.');
      }
      checked = edit.to;
      if (!(await changesNothing(window, edit))) changes.push(edit);
    }
    const due = this.dependents.filter(({ within, to }) => {
      const next = changes[firstAfter(changes, within)];
      return next !== undefined && next.from < to;
    });
    if (due.length === 0) return changes;
    return [...changes, ...due.map(({ edit }) => edit)].sort((a, b) => a.from - b.from);
  }

  private add(from: number, to: number, put: Replacement): void {
    if (to <= from) return;
    const last = this.edits.at(-1);
    if (last && last.to === from && last.put === put && !(put instanceof Uint8Array)) {
      last.to = to;
      return;
    }
    if (this.edits.length >= MAX_EDITS) throw new UnreadableFileError('The file is too fragmented.');
    this.edits.push({ from, to, put });
  }
}

/** The index of the first of these edits (in order) that ends after `offset`. */
function firstAfter(edits: readonly Edit[], offset: number): number {
  let [low, high] = [0, edits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.to ?? Infinity) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function changesNothing(window: SourceWindow, { from, to, put }: Edit): Promise<boolean> {
  if (put === null) return false;
  for (let at = from; at < to; at += CHUNK) {
    const length = Math.min(CHUNK, to - at);
    const wanted =
      typeof put === 'number' ? filler(put).subarray(0, length) : put.subarray(at - from, at - from + length);
    if (Buffer.compare((await window.at(at, length)).bytes, wanted) !== 0) return false;
  }
  return true;
}

/** The replacement of an edit. Long fills repeat one shared buffer. */
function* literal({ from, to, put }: Edit): Generator<Segment> {
  if (put === null) return;
  if (put instanceof Uint8Array) {
    yield { bytes: put };
    return;
  }
  const bytes = filler(put);
  let left = to - from;
  for (; left >= CHUNK; left -= CHUNK) yield { bytes };
  if (left > 0) yield { bytes: bytes.subarray(0, left) };
}
