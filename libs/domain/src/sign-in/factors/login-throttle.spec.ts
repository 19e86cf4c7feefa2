import { Counters } from '@vitrine/counters';
import { TooManyRequestsError } from '../../base/errors/domain-error';
import { LoginThrottle } from './login-throttle';

const attemptsUntilRejected = async (countAttempt: (n: number) => Promise<void>): Promise<number> => {
  for (let n = 0; n < 200; n++) {
    try {
      await countAttempt(n);
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
      return n;
    }
  }
  return Infinity;
};

describe('LoginThrottle', () => {
  it('allows one client five failures for one account', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    expect(
      await attemptsUntilRejected(() =>
        throttle.countAttempt({ account: 'ada', typed: 'ada', client: '192.0.2.1' }),
      ),
    ).toBe(5);
    await expect(
      throttle.countAttempt({ account: 'ada', typed: 'ada', client: '192.0.2.2' }),
    ).resolves.toBeUndefined();
    await expect(
      throttle.countAttempt({ account: 'bob', typed: 'bob', client: '192.0.2.1' }),
    ).resolves.toBeUndefined();
  });

  it('treats two names of one account as it treats two accounts, so that it tells nobody whose they are', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const [name, address] = ['ada', 'ada@example.org'].map((typed) => ({ account: 'user:1', typed }));
    const oneClient = { client: '192.0.2.1' };
    expect(await attemptsUntilRejected(() => throttle.countAttempt({ ...name!, ...oneClient }))).toBe(5);
    expect(await attemptsUntilRejected(() => throttle.countAttempt({ ...address!, ...oneClient }))).toBe(5);
    const anyClient = (n: number) => ({ client: `198.51.100.${n}` });
    expect(await attemptsUntilRejected((n) => throttle.countAttempt({ ...name!, ...anyClient(n) }))).toBe(45);
    await expect(throttle.countAttempt({ ...address!, client: '203.0.113.1' })).resolves.toBeUndefined();
  });

  it('allows each session five wrong proofs, which strangers can not use up', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    await attemptsUntilRejected((n) =>
      throttle.countAttempt({ account: 'ada', typed: 'ada', client: `192.0.2.${n}` }),
    );
    const proof = { account: 'ada', tokenId: 1 };
    await throttle.countProof(proof);
    await throttle.forgiveProof(proof);
    expect(await attemptsUntilRejected(() => throttle.countProof(proof))).toBe(5);
    await expect(throttle.countProof({ ...proof, tokenId: 2 })).resolves.toBeUndefined();
  });

  // Promise [security]: One client has twenty failed logins over all accounts, and then must wait.
  it('allows one client twenty failures over all accounts', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    expect(
      await attemptsUntilRejected((n) =>
        throttle.countAttempt({ account: `user${n}`, typed: `user${n}`, client: '192.0.2.1' }),
      ),
    ).toBe(20);
  });

  it('allows one account fifty failures from all clients', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    expect(
      await attemptsUntilRejected((n) =>
        throttle.countAttempt({ account: 'ada', typed: 'ada', client: `192.0.2.${n}` }),
      ),
    ).toBe(50);
  });

  it('does not count successes', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const succeed = async () => {
      await throttle.countAttempt({ account: 'ada', typed: 'ada', client: '192.0.2.1' });
      await throttle.forgive({ account: 'ada', typed: 'ada', client: '192.0.2.1' });
    };
    expect(await attemptsUntilRejected(succeed)).toBe(Infinity);
  });

  it('counts simultaneous attempts', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const tries = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        throttle.countAttempt({ account: 'ada', typed: 'ada', client: '192.0.2.1' }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  // Promise [security]: Strangers can’t use up the attempts of a browser that has logged in before.
  it('counts a browser that has logged in before separately, so that strangers can not use up its attempts', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const stranger = (n: number) =>
      throttle.countAttempt({ account: 'ada', typed: 'ada', client: `192.0.2.${n}` });
    expect(await attemptsUntilRejected(stranger)).toBe(50);
    const owner = { account: 'ada', typed: 'ada', client: '192.0.2.1', knownDevice: 'laptop' };
    expect(await attemptsUntilRejected(() => throttle.countAttempt(owner))).toBe(10);
    await expect(throttle.countAttempt({ ...owner, knownDevice: 'phone' })).resolves.toBeUndefined();
  });

  it('allows one account ten wrong second factors an hour, and each known browser as many', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const stranger = (n: number) =>
      throttle.countSecondFactor({ account: 'ada', typed: 'ada', client: `192.0.2.${n}` });
    expect(await attemptsUntilRejected(stranger)).toBe(10);
    const owner = { account: 'ada', typed: 'ada', client: '192.0.2.1', knownDevice: 'laptop' };
    await expect(throttle.countSecondFactor(owner)).resolves.toBeUndefined();
  });
});
