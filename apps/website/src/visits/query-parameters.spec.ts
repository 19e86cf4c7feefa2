import type { Request } from 'express';
import { queryPage, queryText } from './query-parameters';

const asked = (query: Request['query']): Request => ({ query }) as Request;

describe('queryText', () => {
  it('takes no parameter that comes twice', () => {
    expect(queryText(asked({ q: 'a' }), 'q')).toBe('a');
    expect(queryText(asked({ q: ['a', 'b'] }), 'q')).toBe('');
    expect(queryText(asked({}), 'q')).toBe('');
  });
});

describe('queryPage', () => {
  it('is the first page where none is named', () => {
    expect(queryPage(asked({ page: '3' }))).toBe(3);
    expect(queryPage(asked({ mediaPage: '2' }), 'mediaPage')).toBe(2);
    expect(queryPage(asked({ page: ['2', '3'] }))).toBe(1);
    expect(queryPage(asked({}))).toBe(1);
  });
});
