/** The number of bits in which two PDQ hashes, as 64 hexadecimal digits, differ. */
export function pdqDistance(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let bits = 0;
  for (; difference > 0n; difference &= difference - 1n) bits++;
  return bits;
}
