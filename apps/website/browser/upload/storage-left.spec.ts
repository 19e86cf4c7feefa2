import { StorageLeft } from './storage-left';

const use = (bytesLimit: number | null, filesLimit: number | null) => ({
  bytes: 100,
  bytes_limit: bytesLimit,
  files: 1,
  files_limit: filesLimit,
});

describe('StorageLeft', () => {
  it('lets everything through while it knows nothing, and without limits', () => {
    const left = new StorageLeft();
    expect(left.claim(1e12)).not.toBeNull();
    left.learn(use(null, null));
    expect(left.claim(1e12)).not.toBeNull();
  });

  it('counts what is being sent, what was stored, and what was deleted again', () => {
    const left = new StorageLeft();
    left.learn(use(400, null));
    const first = left.claim(300);
    expect(left.claim(1)).toBeNull();
    // Its metadata were removed.
    first?.keep('aaaaaaa', 200);
    expect(left.claim(101)).toBeNull();
    const second = left.claim(100);
    expect(left.claim(1)).toBeNull();
    second?.giveBack();
    left.forget('aaaaaaa');
    left.forget('aaaaaaa');
    expect(left.claim(301)).toBeNull();
    expect(left.claim(300)).not.toBeNull();
  });

  it('counts files', () => {
    const left = new StorageLeft();
    left.learn(use(null, 3));
    expect(left.claim(1)).not.toBeNull();
    expect(left.claim(1)).not.toBeNull();
    expect(left.claim(1)).toBeNull();
  });
});
