import { logInPath, registerPath } from './paths';

describe('logInPath and registerPath', () => {
  it.each([
    ['/p/abc?key=a&b#c1', '?next=%2Fp%2Fabc%3Fkey%3Da%26b%23c1'],
    ['/logins', '?next=%2Flogins'],
    ['/', ''],
    ['/login', ''],
    ['/register?next=%2Fupload', ''],
  ])('for the page %s return %j', (next, query) => {
    expect([logInPath(next), registerPath(next)]).toEqual([`/login${query}`, `/register${query}`]);
  });
});
