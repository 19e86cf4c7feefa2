import { SecretBox } from './secret-box';

const KEY = 'a long random text, only in this test';

describe('SecretBox', () => {
  // Promise [security]: Stored secrets of authenticator apps can’t be changed or moved between accounts.
  it('opens what it sealed, and nothing that was changed or belongs to another account', () => {
    const box = new SecretBox(KEY);
    const secret = Buffer.from('the secret of an app');
    const sealed = box.seal(secret, 7);
    expect(box.open(sealed, 7)).toEqual(secret);
    expect(box.open(sealed, 8)).toBeNull();
    expect(new SecretBox(`${KEY}!`).open(sealed, 7)).toBeNull();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(box.open(changed, 7)).toBeNull();
    }
    expect(box.open(Buffer.alloc(0), 7)).toBeNull();
    expect(box.open(sealed.subarray(0, -1), 7)).toBeNull();
  });

  it('seals the same secret differently each time', () => {
    const box = new SecretBox(KEY);
    const secret = Buffer.from('the secret of an app');
    expect(box.seal(secret, 7).equals(box.seal(secret, 7))).toBe(false);
  });
});
