import { ByteView } from '../bytes/byte-view';
import type { SourceWindow } from '../bytes/byte-source';
import { UnreadableFileError } from '../errors/file-errors';
import type { Redaction } from './redaction';

interface Span {
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/**
 * Reads one whole structure of the file (at most `limit` bytes), lets `scrub` change it in place, and records the
 * change if there is one. `scrub` gets the structure with offsets that count from its own start.
 */
export async function inPlace<S extends Span, T>(
  window: SourceWindow,
  redaction: Redaction,
  span: S,
  limit: number,
  scrub: (view: ByteView, span: S) => T,
): Promise<T> {
  const { start, body, end } = span;
  if (end - start > limit) throw new UnreadableFileError('A structure of the file is too large.');
  const original = (await window.at(start, end - start)).bytes;
  const view = new ByteView(Uint8Array.from(original));
  const result = scrub(view, { ...span, start: 0, body: body - start, end: end - start });
  if (Buffer.compare(original, view.bytes) !== 0) redaction.overwrite(start, view.bytes);
  return result;
}
