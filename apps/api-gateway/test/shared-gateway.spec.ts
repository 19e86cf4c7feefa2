import { readdirSync, readFileSync } from 'node:fs';
import { borrowStack, eventually } from '@vitrine/testing';
import { clientOf } from './gateway';
import { SHARED_GATEWAY } from './use-gateway';

/** No other suite borrows a stack with this name while this one waits. */
const OWN = { ...SHARED_GATEWAY, env: { ...SHARED_GATEWAY.env, SITE_NAME: 'Paused' } };

/** Letters of the states of the processes (`proc(5)`) that listen on this API port; `T` is stopped. */
function statesOf(port: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`API_PORT=${port}`)) return [];
      return /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1] ?? [];
    } catch {
      // Not a process, or one that has ended or belongs to another user.
      return [];
    }
  });
}

describe('a stack that suites share', () => {
  it('pauses while no suite uses it, and continues for the next one', async () => {
    const first = await borrowStack(OWN);
    const { origin, port } = new URL(first.apiUrl);
    await clientOf(origin).register('ada');
    await first.close();
    await eventually(() => expect(statesOf(port)).toEqual(['T']));

    const second = await borrowStack(OWN);
    try {
      expect(second.apiUrl).toBe(first.apiUrl);
      expect(await second.sql('select from users')).toEqual([]);
      await clientOf(origin).register('ada');
    } finally {
      await second.close();
    }
  });
});
