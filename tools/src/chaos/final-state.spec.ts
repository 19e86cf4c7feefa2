import { differences } from './final-state';

describe('differences', () => {
  it('finds none between equal lists in any order', () => {
    expect(differences(['a', 'b', 'b'], ['b', 'a', 'b'])).toEqual([]);
  });

  it('tells which list has what, as often as it has it', () => {
    expect(differences(['a', 'b', 'b'], ['b', 'c'])).toEqual(['- a', '- b', '+ c']);
  });
});
