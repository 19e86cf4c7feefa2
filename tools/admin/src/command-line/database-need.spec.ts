import { databaseNeed } from './database-need';

describe('databaseNeed', () => {
  it.each([
    ['create-user ada', 'existing'],
    ['create-user -- --help', 'existing'],
    ['verify-counts', 'existing'],
    ['adopt-baseline', 'existing'],
    ['migrate --patience 5', 'new'],
    ['doctor --json', 'new'],
    ['declare-queues', 'new'],
    ['grant-storage', 'none'],
    ['create-user ada --help', 'none'],
    ['help', 'none'],
    ['-h', 'none'],
  ])('of %s is: %s', (line, need) => {
    expect(databaseNeed(line.split(' '))).toBe(need);
  });

  it('of no command is none, because the tool prints its usage', () => {
    expect(databaseNeed([])).toBe('none');
  });
});
