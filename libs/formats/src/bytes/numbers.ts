/** Big-endian 16-bit numbers as bytes. */
export function u16(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint16(i * 2, value));
  return bytes;
}

/** Big-endian 32-bit numbers as bytes. */
export function u32(...values: readonly number[]): Uint8Array {
  return u32List(values);
}

/** `u32` for lists of any length: JavaScript limits the number of arguments of a call. */
export function u32List(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint32(i * 4, value));
  return bytes;
}

/** Little-endian 16-bit numbers as bytes. */
export function u16le(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value & 0xff, value >> 8]));
}

/** A little-endian 32-bit number as bytes. */
export function u32le(value: number): Uint8Array {
  return u32(value).reverse();
}

/** Little-endian 24-bit numbers as bytes. */
export function u24le(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value & 0xff, (value >> 8) & 0xff, value >> 16]));
}

/**
 * A number in groups of seven bits, the lowest first, in eight bytes at most (AV1 4.10.5), and the position behind it, which may
 * be behind the end of `bytes`: missing bytes count as zero.
 */
export function leb128(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes[from + index] ?? 0;
    value += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return { value, end: from + index + 1 };
  }
  return { value, end: from + 8 };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  return crc >>> 0;
});

/** CRC-32 with the most significant bit first: MPEG-2 starts it at all ones (ISO/IEC 13818-1, annex A), Ogg at 0. */
export function crc32Msb(bytes: Uint8Array, start = 0xffff_ffff): number {
  let crc = start;
  for (const byte of bytes) crc = (crc << 8) ^ (TABLE[(crc >>> 24) ^ byte] ?? 0);
  return crc >>> 0;
}
