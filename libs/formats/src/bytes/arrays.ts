export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Whether all bytes from `from` on are zero. */
export function isZero(bytes: Uint8Array, from = 0): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
