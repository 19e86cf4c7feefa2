import { UnreadableFileError } from '../../errors/file-errors';
import { SectionReader, type Section } from './program-tables';
import type { TransportPacket } from './transport-packet';

/** A table's sections have at most 1,024 bytes each, so a longer run without a new start is invalid. */
const MAX_RUN = 1 << 14;

/** Bytes of a table from the start of one section to the next start of a section that a packet announces. */
export class TableRun {
  /** The positions of the bytes in the file. */
  readonly spans: { readonly from: number; readonly bytes: Uint8Array }[] = [];
  size = 0;
  private readonly reader = new SectionReader();

  constructor(readonly pid: number) {}

  /** Takes more bytes, and returns the sections that end in them. Reads each section once, however it is split. */
  add(from: number, bytes: Uint8Array): Section[] {
    if (bytes.length === 0) return [];
    this.size += bytes.length;
    if (this.size > MAX_RUN) throw new UnreadableFileError('A table doesn’t end.');
    this.spans.push({ from, bytes });
    const sections = this.reader.feed(bytes);
    this.sections.push(...sections);
    return sections;
  }

  /** All sections so far. */
  readonly sections: Section[] = [];
}

/** Joins the parts of tables that are spread over packets (ISO/IEC 13818-1, section 2.4.4). */
export class TableRuns {
  private readonly open = new Map<number, TableRun>();

  /** Takes a packet of a table. Returns the sections that end in it, and the run that ends in it, if any. */
  feed({ pid, start, payload, startsUnit, bytes }: TransportPacket): {
    readonly sections: readonly Section[];
    readonly ended: TableRun | null;
  } {
    if (payload >= bytes.length) return { sections: [], ended: null };
    const current = this.open.get(pid) ?? new TableRun(pid);
    if (!startsUnit) {
      this.open.set(pid, current);
      return { sections: current.add(start + payload, bytes.subarray(payload)), ended: null };
    }
    const next = Math.min(payload + 1 + (bytes[payload] ?? 0), bytes.length);
    const sections = current.add(start + payload + 1, bytes.subarray(payload + 1, next));
    const started = new TableRun(pid);
    sections.push(...started.add(start + next, bytes.subarray(next)));
    this.open.set(pid, started);
    return { sections, ended: current };
  }

  /** The runs that end with the file. */
  rest(): TableRun[] {
    return [...this.open.values()];
  }
}
