import { tmpdir } from 'node:os';
import { hasRoom } from './failures';

describe('hasRoom', () => {
  it('returns true for a disk with room and false for a full one', async () => {
    expect(await hasRoom(tmpdir())).toBe(true);
    // A file system that never has room.
    if (process.platform === 'linux') expect(await hasRoom('/proc')).toBe(false);
  });
});
