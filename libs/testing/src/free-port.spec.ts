import { freePort, freePortRange } from './service-process';

describe('free ports', () => {
  it('differ between Jest’s workers, which start processes at the same time', async () => {
    const portsOf = async (worker: string | undefined): Promise<number[]> => {
      if (worker === undefined) delete process.env['JEST_WORKER_ID'];
      else process.env['JEST_WORKER_ID'] = worker;
      const first = await freePortRange(10);
      const range = Array.from({ length: 10 }, (_, index) => first + index);
      return [...(await Promise.all(Array.from({ length: 30 }, freePort))), ...range];
    };
    const parts = [await portsOf(undefined), await portsOf('1'), await portsOf('2'), await portsOf('4')];
    for (const [index, ports] of parts.slice(1).entries()) {
      expect(Math.min(...ports)).toBeGreaterThan(Math.max(...parts[index]!));
    }
    expect(Math.min(...parts.flat())).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...parts.flat())).toBeLessThan(32_000);
  });
});
