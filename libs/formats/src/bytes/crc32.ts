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
