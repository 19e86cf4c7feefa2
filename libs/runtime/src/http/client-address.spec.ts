import fc from 'fast-check';
import { clientKeyOf, normaliseAddress } from './client-address';

describe('client addresses', () => {
  it('have one spelling', () => {
    expect(normaliseAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(normaliseAddress('2001:DB8:0:0:0:0:0:1')).toBe('2001:db8::1');
    expect(normaliseAddress('fe80::1%eth0')).toBe('fe80::1');
    for (const text of ['', 'unknown', '1.2.3.4:80', '[::1]', '1.2.3.4, 5.6.7.8', '::1/64']) {
      expect(normaliseAddress(text)).toBeNull();
    }
    fc.assert(
      fc.property(fc.ipV4(), (address) =>
        expect(normaliseAddress(`::ffff:${address}`)).toBe(normaliseAddress(address)),
      ),
    );
  });

  it('count per /64 network in IPv6, and individually in IPv4', () => {
    expect(clientKeyOf('192.0.2.1')).toBe('192.0.2.1');
    expect(clientKeyOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(clientKeyOf('::1')).toBe('::1');
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        const [left, right] = [`${network}:${one}`, `${network}:${other}`].map((text) =>
          clientKeyOf(normaliseAddress(text) ?? ''),
        );
        // ::ffff:0:0/96 and similar networks contain IPv4-mapped addresses.
        if (!network.startsWith('0:0:0:0')) expect(left).toBe(right);
      }),
    );
  });
});
