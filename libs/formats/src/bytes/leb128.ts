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
