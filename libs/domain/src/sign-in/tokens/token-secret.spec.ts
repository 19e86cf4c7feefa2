import fc from 'fast-check';
import { checksumOf, isWellFormedSecret, mintSecret } from './token-secret';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE 802.3), bit by bit. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('token secrets', () => {
  // Promise [access]: A mistyped token is refused without a query, by its checksum.
  it('end in the CRC-32 of their random part, in base62', () => {
    const random = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 34, maxLength: 34 });
    fc.assert(
      fc.property(random, (text) => {
        const checksum = checksumOf(text);
        expect(checksum).toMatch(/^[0-9A-Za-z]{6}$/);
        expect([...checksum].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)).toBe(
          crc32(text),
        );
        for (const prefix of ['vtr', 'vts', 'vtu', 'vtg']) {
          expect(isWellFormedSecret(`${prefix}_${text}${checksum}`)).toBe(true);
        }
      }),
    );
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(checksumOf('')).toBe('000000');
  });

  it('are distinguished from texts with a typing error', () => {
    fc.assert(
      fc.property(fc.nat(39), fc.constantFrom(...BASE62), (at, other) => {
        const secret = mintSecret('session');
        const wrong = secret.slice(0, 4 + at) + other + secret.slice(5 + at);
        expect(isWellFormedSecret(wrong)).toBe(wrong === secret);
      }),
    );
    const good = mintSecret('api');
    for (const wrong of [
      good.slice(4),
      `vtx_${good.slice(4)}`,
      ` ${good}`,
      `${good}\n`,
      `${good}0`,
      good.toLowerCase(),
      '',
    ]) {
      expect(isWellFormedSecret(wrong)).toBe(false);
    }
  });

  // Promise [security]: Tokens are unique random texts.
  it('have the prefix of their kind, are unique, and use every character equally', () => {
    const secrets = Array.from({ length: 2000 }, () => mintSecret('api'));
    expect(new Set(secrets).size).toBe(2000);
    expect(secrets.every((secret) => secret.startsWith('vtr_'))).toBe(true);
    expect(mintSecret('session')).toMatch(/^vts_/);
    expect(mintSecret('ticket')).toMatch(/^vtu_/);
    expect(mintSecret('guest')).toMatch(/^vtg_/);
    const counts = new Map<string, number>();
    for (const secret of secrets) {
      for (const character of secret.slice(4, 38)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // Chi-squared with 61 degrees of freedom exceeds 130 once in a million runs.
    const expected = (2000 * 34) / 62;
    const chiSquared = [...BASE62].reduce(
      (sum, character) => sum + ((counts.get(character) ?? 0) - expected) ** 2 / expected,
      0,
    );
    expect(chiSquared).toBeLessThan(130);
  });
});
