import { Counters } from '../counters/counters';
import { TooManyRequestsError } from '../errors/domain-error';
import { LoginThrottle } from './login-throttle';

const triesUntilRefused = async (countTry: (n: number) => Promise<void>): Promise<number> => {
  for (let n = 0; n < 200; n++) {
    try {
      await countTry(n);
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
    expect(await triesUntilRefused(() => throttle.countTry('ada', '192.0.2.1'))).toBe(5);
    await expect(throttle.countTry('ada', '192.0.2.2')).resolves.toBeUndefined();
    await expect(throttle.countTry('bob', '192.0.2.1')).resolves.toBeUndefined();
  });

  it('allows one client twenty failures over all accounts', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    expect(await triesUntilRefused((n) => throttle.countTry(`user${n}`, '192.0.2.1'))).toBe(20);
  });

  it('allows one account fifty failures from everywhere', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    expect(await triesUntilRefused((n) => throttle.countTry('ada', `192.0.2.${n}`))).toBe(50);
  });

  it('does not count successes', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const succeed = async () => {
      await throttle.countTry('ada', '192.0.2.1');
      await throttle.forgive('ada', '192.0.2.1');
    };
    expect(await triesUntilRefused(succeed)).toBe(Infinity);
  });

  it('counts tries that are made at once', async () => {
    const throttle = new LoginThrottle(new Counters({ redisUrl: '' }));
    const tries = await Promise.allSettled(
      Array.from({ length: 30 }, () => throttle.countTry('ada', '192.0.2.1')),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });
});
