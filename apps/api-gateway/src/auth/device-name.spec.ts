import fc from 'fast-check';
import { deviceName } from './device-name';

describe('the name of a session', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Microsoft Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
  ])('after %s is %s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });

  it('leaves out an unknown browser or system', () => {
    for (const agent of [null, '', '   ', 'Mozilla/5.0', 'node', '<b>/1.0 (x)', 'Ada-s-own/3.2 Bar/1']) {
      expect(deviceName(agent)).toBeNull();
    }
    expect(deviceName('<b>/1.0 (X11; Linux x86_64)')).toBe('Linux');
  });

  it('accepts any header', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ minLength: 2000, maxLength: 9000 })), (agent) => {
        const name = deviceName(agent);
        expect(name === null || (name.length > 0 && name.length <= 100)).toBe(true);
      }),
    );
  });
});
