import { logInPath, registerPath } from './log-in-path';

describe('the way to an account', () => {
  it.each([
    ['/p/abc?key=a&b#c1', '?next=%2Fp%2Fabc%3Fkey%3Da%26b%23c1'],
    ['/logins', '?next=%2Flogins'],
    ['/', ''],
    ['/login', ''],
    ['/register?next=%2Fupload', ''],
  ])('from %s says %j', (next, query) => {
    expect([logInPath(next), registerPath(next)]).toEqual([`/login${query}`, `/register${query}`]);
  });
});
