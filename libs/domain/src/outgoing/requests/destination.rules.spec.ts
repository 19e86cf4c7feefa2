import { readDestination } from './destination.rules';

describe('readDestination', () => {
  const read = (url: string, allowPrivate = false): URL | string => readDestination(url, { allowPrivate });

  it.each([
    ['ftp://example.org/', 'must be an http or https address'],
    ['javascript:alert(1)', 'must be an http or https address'],
    ['example.org', 'must be an http or https address'],
    ['', 'must be an http or https address'],
    ['https://user@example.org/', 'must not contain a user or password'],
    ['https://:secret@example.org/', 'must not contain a user or password'],
    ['http://example.org:22/', 'must use port 80, 443, 8080 or 8443'],
    ['http://example.org:6379/', 'must use port 80, 443, 8080 or 8443'],
    ['http://127.0.0.1/', 'must not lead to a private network'],
    ['http://127.0.0.1./', 'must not lead to a private network'],
    ['http://2130706433/', 'must not lead to a private network'],
    ['http://0x7f.1/', 'must not lead to a private network'],
    ['http://0177.0.0.1/', 'must not lead to a private network'],
    ['http://１２７.0.0.1/', 'must not lead to a private network'],
    ['http://[::1]/', 'must not lead to a private network'],
    ['http://[::ffff:a9fe:a9fe]/', 'must not lead to a private network'],
    ['http://[fd00:ec2::254]/', 'must not lead to a private network'],
  ])('refuses %p', (url, reason) => expect(read(url)).toBe(reason));

  it.each([
    'https://example.org/hooks?key=1',
    'http://example.org:8080/',
    'http://1.1.1.1/',
    'https://[2606:4700:4700::1111]:8443/',
    'https://dead.beef.example/',
  ])('accepts %s', (url) => expect(read(url)).toBeInstanceOf(URL));

  it('refuses an address whose normal form is too long to be stored', () => {
    expect(read(`https://example.org/${'é'.repeat(400)}`)).toBe('must not be greater than 2000 characters');
  });

  it('accepts private addresses and all ports if the setting allows it, but no passwords', () => {
    expect(read('http://127.0.0.1:4000/', true)).toBeInstanceOf(URL);
    expect(read('http://user:secret@127.0.0.1:4000/', true)).toBe('must not contain a user or password');
  });
});
