/** Random bytes in hexadecimal; `crypto.randomUUID` is missing on pages that came over plain HTTP. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
