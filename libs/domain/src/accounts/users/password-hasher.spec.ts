import { UnavailableError } from '../../base/errors/domain-error';
import { PasswordHasher } from './password-hasher';

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();
  beforeAll(() => hasher.onModuleInit());

  // Promise [security]: Passwords are hashed with argon2id.
  it('hashes with argon2id, the cost that OWASP recommends and a salt', async () => {
    const [one, other] = await Promise.all([hasher.hash('secret'), hasher.hash('secret')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await hasher.verify(one, 'secret')).toBe(true);
    expect(await hasher.verify(one, 'Secret')).toBe(false);
  });

  it('does the same work for a missing hash and returns false', async () => {
    const started = performance.now();
    expect(await hasher.verify(null, 'secret')).toBe(false);
    // An argon2id pass over 19 MiB takes over a millisecond on any machine; returning early would not.
    expect(performance.now() - started).toBeGreaterThan(1);
  });

  // Promise [security]: A flood of password hashes is refused.
  it('rejects a flood of hashes and works again afterwards', async () => {
    const flood = await Promise.allSettled(Array.from({ length: 80 }, () => hasher.hash('secret')));
    const refused = flood.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(80 - 2 - 64);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(UnavailableError);
    expect(await hasher.hash('secret')).toMatch(/^\$argon2id/);
  });
});
