import { OutageError } from '@vitrine/runtime';
import { Commits, CommitUnansweredError } from './commits';

describe('Commits', () => {
  it('stops waiting for a COMMIT, refuses further writes at once, and works again after the answer', async () => {
    const commits = new Commits(1, 20);
    let answer = (): void => undefined;
    const waiting = commits.run((committing) => {
      committing();
      return new Promise<void>((resolve) => (answer = resolve));
    });
    await expect(waiting).rejects.toThrow(CommitUnansweredError);
    expect(commits.overdue).toBe(1);
    let ran = 0;
    const next = (): Promise<number> => commits.run(async () => ++ran);
    await expect(next()).rejects.toThrow(OutageError);
    answer();
    await new Promise(setImmediate);
    expect(commits.overdue).toBe(0);
    await expect(next()).resolves.toBe(1);
  });

  it('does not bound the time before the COMMIT, and passes errors on', async () => {
    const commits = new Commits(1, 1);
    let end = (): void => undefined;
    const long = commits.run(async (committing) => {
      await new Promise<void>((resolve) => (end = resolve));
      committing();
      throw new Error('deferred constraint');
    });
    const queued = commits.run(async () => 'ran');
    end();
    await expect(long).rejects.toThrow('deferred constraint');
    await expect(queued).resolves.toBe('ran');
    expect(commits.overdue).toBe(0);
  });
});
