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
