import { VitrineError } from '@vitrine/client';
import { ignoreNotFound } from './errors';

describe('ignoreNotFound', () => {
  const failing = (code: 'not_found' | 'forbidden'): Promise<never> =>
    Promise.reject(new VitrineError({ code, message: code }));

  it('ignores not_found errors and rethrows others', async () => {
    await expect(ignoreNotFound(Promise.resolve('ended'))).resolves.toBeUndefined();
    await expect(ignoreNotFound(failing('not_found'))).resolves.toBeUndefined();
    await expect(ignoreNotFound(failing('forbidden'))).rejects.toThrow('forbidden');
    await expect(ignoreNotFound(Promise.reject(new Error('not_found')))).rejects.toThrow('not_found');
  });
});
