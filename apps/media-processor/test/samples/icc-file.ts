/** Big-endian 32-bit numbers. */
export const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
};

/** Numbers of `s15Fixed16`. */
export const fixed = (...values: number[]): Buffer =>
  u32(...values.map((value) => Math.round(value * 65_536) >>> 0));

/** A colour profile of these tags. `space` is its class, its colour space and its connection space. */
export function iccFile(
  space: string,
  version: number,
  tags: readonly (readonly [name: string, body: Buffer])[],
): Buffer {
  const head = Buffer.alloc(132 + tags.length * 12);
  const bodies = tags.map(([, body]) => Buffer.concat([body, Buffer.alloc(-body.length & 3)]));
  head[8] = version;
  head.write(space, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  fixed(0.9642, 1, 0.8249).copy(head, 68);
  head.writeUInt32BE(tags.length, 128);
  let at = head.length;
  for (const [index, [name, body]] of tags.entries()) {
    head.write(name, 132 + index * 12, 'latin1');
    head.set(u32(at, body.length), 136 + index * 12);
    at += bodies[index]?.length ?? 0;
  }
  head.writeUInt32BE(at);
  return Buffer.concat([head, ...bodies]);
}
