import { UnreadableFileError } from '../../media-format';
import type { TransportPacket } from './transport-packet';

/** A table's sections are at most 1,024 bytes each; a longer run without a new start is nonsense. */
const MAX_RUN = 1 << 14;

/** Bytes of a table from the start of one section to the start of the next that a packet announces. */
export class TableRun {
  /** Where in the file the bytes lie. */
  readonly spans: { readonly from: number; readonly bytes: Uint8Array }[] = [];
  size = 0;

  constructor(readonly pid: number) {}

  add(from: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.size += bytes.length;
    if (this.size > MAX_RUN) throw new UnreadableFileError('A table doesn’t end.');
    this.spans.push({ from, bytes });
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.spans.map(({ bytes }) => bytes));
  }
}

/** Puts the tables together that are spread over packets (ISO/IEC 13818-1, section 2.4.4). */
export class TableRuns {
  private readonly open = new Map<number, TableRun>();

  /** Takes a table's packet in; returns the run that it ends, if any. */
  feed({ pid, start, payload, startsUnit, bytes }: TransportPacket): TableRun[] {
    if (payload >= bytes.length) return [];
    const current = this.current(pid);
    if (!startsUnit) {
      current.add(start + payload, bytes.subarray(payload));
      this.open.set(pid, current);
      return [];
    }
    const next = Math.min(payload + 1 + (bytes[payload] ?? 0), bytes.length);
    current.add(start + payload + 1, bytes.subarray(payload + 1, next));
    const started = new TableRun(pid);
    started.add(start + next, bytes.subarray(next));
    this.open.set(pid, started);
    return [current];
  }

  /** What is known so far of the run that isn't ended yet. */
  current(pid: number): TableRun {
    return this.open.get(pid) ?? new TableRun(pid);
  }

  /** The runs that the end of the file ends. */
  rest(): TableRun[] {
    return [...this.open.values()];
  }
}
