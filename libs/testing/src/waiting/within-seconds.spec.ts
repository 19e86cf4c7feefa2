import { withinSeconds } from './within-seconds';

describe('withinSeconds', () => {
  let now: number;
  beforeEach(() => {
    now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** A check that fails the first time, after this number of milliseconds. */
  const failsOnce = (milliseconds: number) => {
    let times = 0;
    return async (): Promise<void> => {
      if (times++ > 0) return;
      now += milliseconds;
      throw new Error('stale');
    };
  };

  it('accepts a check that began in time and failed later, if the next one passes', async () => {
    await withinSeconds(1, failsOnce(3_000));
  });

  it('throws the error of a check that began too late after the change', async () => {
    const twice = { first: failsOnce(1_001), second: failsOnce(0) };
    const check = () => twice.first().then(twice.second);
    await expect(withinSeconds(1, check)).rejects.toThrow('stale');
  });

  it('counts from the given time', async () => {
    await withinSeconds(1, failsOnce(0), now - 1_000);
    await expect(withinSeconds(1, failsOnce(0), now - 1_001)).rejects.toThrow('stale');
  });
});
