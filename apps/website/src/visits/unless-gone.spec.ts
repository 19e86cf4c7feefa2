import { VitrineError } from '@vitrine/client';
import { unlessGone } from './unless-gone';

describe('unlessGone', () => {
  const failing = (code: 'not_found' | 'forbidden'): Promise<never> =>
    Promise.reject(new VitrineError({ code, message: code }));

  it('takes what is gone for what is ended, and nothing else', async () => {
    await expect(unlessGone(Promise.resolve('ended'))).resolves.toBeUndefined();
    await expect(unlessGone(failing('not_found'))).resolves.toBeUndefined();
    await expect(unlessGone(failing('forbidden'))).rejects.toThrow('forbidden');
    await expect(unlessGone(Promise.reject(new Error('not_found')))).rejects.toThrow('not_found');
  });
});
