import { tmpdir } from 'node:os';
import { hasRoom } from './failures';

describe('hasRoom', () => {
  it('tells a disk with room from one without', async () => {
    expect(await hasRoom(tmpdir())).toBe(true);
    // A file system that never has any.
    if (process.platform === 'linux') expect(await hasRoom('/proc')).toBe(false);
  });
});
