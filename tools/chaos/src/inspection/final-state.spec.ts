import { differences } from './final-state';

describe('differences', () => {
  it('finds none between equal lists in any order', () => {
    expect(differences(['a', 'b', 'b'], ['b', 'a', 'b'])).toEqual([]);
  });

  it('shows which list has which line, and how often', () => {
    expect(differences(['a', 'b', 'b'], ['b', 'c'])).toEqual(['- a', '- b', '+ c']);
  });
});
