import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { deriveKeys, keyId, seal, unseal } from './sealing';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('sealed answers', () => {
  it('open only with the key they were sealed with', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), key, key, (answer, right, wrong) => {
        const sealed = seal(answer, right);
        expect(unseal(sealed, right)).toBe(answer);
        expect(seal(answer, right).equals(sealed)).toBe(false);
        if (!wrong.equals(right)) expect(() => unseal(sealed, wrong)).toThrow();
      }),
    );
  });

  it('do not open if one byte has changed', () => {
    const key = digest('key');
    const sealed = seal('{"token":"vtr_…"}', key);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => unseal(changed, key)).toThrow();
    }
  });

  it.each([true, false])('have keys that depend on everything the client knows (slow: %s)', async (slow) => {
    const id = keyId('user:1', 'key');
    const derive = (at: Buffer, key: string, request: string) => deriveKeys(at, key, digest(request), slow);
    const keys = await derive(id, 'key', 'request');
    expect(await derive(id, 'key', 'request')).toEqual(keys);
    expect([keys.fingerprint.length, keys.sealingKey.length]).toEqual([32, 32]);
    const others = [
      derive(keyId('user:2', 'key'), 'key', 'request'),
      derive(id, 'other', 'request'),
      derive(id, 'key', 'another request'),
      deriveKeys(id, 'key', digest('request'), !slow),
    ];
    for (const other of await Promise.all(others)) {
      expect(other.fingerprint.equals(keys.fingerprint)).toBe(false);
      expect(other.sealingKey.equals(keys.sealingKey)).toBe(false);
    }
    expect(keys.fingerprint.equals(keys.sealingKey)).toBe(false);
  });

  it('make guessing a password slow', async () => {
    const began = performance.now();
    await deriveKeys(keyId('address:::1', '1'), '1', digest('{"password":"guess"}'), true);
    expect(performance.now() - began).toBeGreaterThan(5);
  });
});
