import type { Request } from 'express';
import { queryPage, queryText } from './query-parameters';

const asked = (query: Request['query']): Request => ({ query }) as Request;

describe('queryText', () => {
  it('returns an empty text for a parameter that occurs twice', () => {
    expect(queryText(asked({ q: 'a' }), 'q')).toBe('a');
    expect(queryText(asked({ q: ['a', 'b'] }), 'q')).toBe('');
    expect(queryText(asked({}), 'q')).toBe('');
  });
});

describe('queryPage', () => {
  it('returns 1 if the query has no page', () => {
    expect(queryPage(asked({ page: '3' }))).toBe(3);
    expect(queryPage(asked({ mediaPage: '2' }), 'mediaPage')).toBe(2);
    expect(queryPage(asked({ page: ['2', '3'] }))).toBe(1);
    expect(queryPage(asked({}))).toBe(1);
  });
});
