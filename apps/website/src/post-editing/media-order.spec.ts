import { movedBy, readOrder } from './media-order';

describe('media order', () => {
  it.each([
    ['b up', ['b', 'a', 'c']],
    ['b down', ['a', 'c', 'b']],
    ['c up', ['a', 'c', 'b']],
    ['a up', ['a', 'b', 'c']],
    ['c down', ['a', 'b', 'c']],
    ['x up', ['a', 'b', 'c']],
    ['', ['a', 'b', 'c']],
  ])('handles the move “%s”', (move, order) => {
    expect(movedBy(['a', 'b', 'c'], move)).toEqual(order);
  });

  it('is parsed from a form', () => {
    expect(readOrder('a,b,c')).toEqual(['a', 'b', 'c']);
    expect(readOrder(',a,,')).toEqual(['a']);
    expect(readOrder('')).toEqual([]);
  });
});
