import { mentionedIn } from './mentions.rules';

describe('mentionedIn', () => {
  // Promise [community]: A comment or description notifies the first ten people whom it names with @.
  it.each<[string, readonly string[]]>([
    ['Thanks @Ada, and @bob_2!', ['ada', 'bob_2']],
    ['@ada @ADA (@ada)', ['ada']],
    ['mail ada@example.org or see https://example.org/@ada/x', []],
    ['@ab @averyveryveryverylongusernameofall ünder@ada @ada@bob', []],
    ['谢谢 @ada。', ['ada']],
    [
      Array.from({ length: 500 }, (_, n) => `@user${n}`).join(' '),
      Array.from({ length: 10 }, (_, n) => `user${n}`),
    ],
  ])('finds the usernames in %j', (text, names) => {
    expect(mentionedIn(text)).toEqual(names);
  });

  it('leaves out who was named before a change', () => {
    expect(mentionedIn('@ada @bob', '@Bob')).toEqual(['ada']);
  });

  it('reads a long hostile text in a moment', () => {
    expect(mentionedIn('@'.repeat(5000) + '.@'.repeat(5000))).toEqual([]);
  });
});
