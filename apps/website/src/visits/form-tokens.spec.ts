import type { WebsiteConfig } from '../config/website.config';
import { FormTokens } from './form-tokens';

const tokensOf = (siteServiceKey: string): FormTokens => new FormTokens({ siteServiceKey } as WebsiteConfig);

describe('FormTokens', () => {
  const tokens = tokensOf('k'.repeat(40));

  it('accept tokens for the same visitor on every replica, and mask each token differently', () => {
    const [first, second] = [tokens.issue('session:a'), tokens.issue('session:a')];
    expect(first).not.toBe(second);
    for (const token of [first, second]) {
      expect(tokens.accepts(token, 'session:a')).toBe(true);
      expect(tokensOf('k'.repeat(40)).accepts(token, 'session:a')).toBe(true);
    }
  });

  it('refuse tokens of other visitors and other keys, and invalid tokens', () => {
    const token = tokens.issue('session:a');
    expect(tokens.accepts(token, 'session:b')).toBe(false);
    expect(tokensOf('j'.repeat(40)).accepts(token, 'session:a')).toBe(false);
    expect(tokensOf('').accepts(tokensOf('').issue('session:a'), 'session:a')).toBe(false);
    for (const wrong of ['', 'x', token.slice(1), `${token}AAAA`, [token], undefined]) {
      expect(tokens.accepts(wrong, 'session:a')).toBe(false);
    }
  });
});
