/** Returns random bytes in hexadecimal. `crypto.randomUUID` does not exist on pages that were loaded over plain HTTP. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
