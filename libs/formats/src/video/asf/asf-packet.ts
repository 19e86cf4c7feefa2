import type { ByteView } from '../../bytes/byte-view';

/** A part of a data packet that belongs to one stream; null: to none. */
export interface Payload {
  readonly stream: number | null;
  readonly from: number;
  readonly to: number;
}

/** Bytes of a field by its two-bit length type. */
const FIELD_SIZES = [0, 1, 2, 4] as const;

/**
 * Reads the positions of the payloads in a data packet (ASF specification, section 5.2). @throws UnreadableFileError
 * if it is invalid.
 */
export function readPayloads(packet: ByteView): Payload[] {
  const reader = new FieldReader(packet);
  const first = reader.field(1);
  if (first & 0x80) reader.skip(first & 15);
  const lengths = first & 0x80 ? reader.field(1) : first;
  const properties = reader.field(1);
  const packetSize = reader.field(lengths >> 5) || packet.length;
  reader.field(lengths >> 1);
  const padding = reader.field(lengths >> 3);
  reader.skip(6);
  const end = Math.max(reader.at, Math.min(packetSize, packet.length) - padding);

  const payloads: Payload[] = [];
  const hasMany = (lengths & 1) !== 0;
  const counts = hasMany ? reader.field(1) : 1;
  for (let left = counts & 0x3f; left > 0; left--) {
    const stream = reader.field(1) & 0x7f;
    reader.field(properties >> 4);
    reader.field(properties >> 2);
    reader.skip(reader.field(properties));
    const size = hasMany ? reader.field(counts >> 6) : end - reader.at;
    payloads.push({ stream, from: reader.at, to: reader.at + size });
    reader.skip(size);
  }
  payloads.push({ stream: null, from: reader.at, to: packet.length });
  return payloads;
}

class FieldReader {
  at = 0;

  constructor(private readonly view: ByteView) {}

  /** A number whose length is given by the two lowest bits of `type`. */
  field(type: number): number {
    const size = FIELD_SIZES[(type & 3) as 0 | 1 | 2 | 3];
    const at = this.at;
    this.skip(size);
    return size === 4
      ? this.view.u32le(at)
      : size === 2
        ? this.view.u16le(at)
        : size === 1
          ? this.view.u8(at)
          : 0;
  }

  skip(count: number): void {
    this.view.slice(this.at, this.at + count);
    this.at += count;
  }
}
