const tables = new Map<number, Uint8Array>();

/** The highest number of `depth` bits in each byte. */
function highestOfBytes(depth: number): Uint8Array {
  let table = tables.get(depth);
  if (!table) {
    const most = 2 ** depth - 1;
    table = Uint8Array.from({ length: 256 }, (_, byte) => {
      let highest = 0;
      for (let shift = 0; shift < 8; shift += depth) highest = Math.max(highest, (byte >> shift) & most);
      return highest;
    });
    tables.set(depth, table);
  }
  return table;
}

/** The highest of the first `count` numbers of `depth` bits (1, 2, 4 or 8) in a row, from the most significant bit on. */
export function highestSample(row: Uint8Array, depth: number, count: number): number {
  const table = highestOfBytes(depth);
  const whole = Math.floor((count * depth) / 8);
  let highest = 0;
  for (let at = 0; at < whole; at++) {
    const value = table[row[at] ?? 0] ?? 0;
    if (value > highest) highest = value;
  }
  // The last bits of a row may be padding.
  const used = count * depth - whole * 8;
  const last = (row[whole] ?? 0) & (0xff << (8 - used)) & 0xff;
  return used > 0 ? Math.max(highest, table[last] ?? 0) : highest;
}
