import fc from 'fast-check';
import { cleanDeclarations, cleanStyleSheet } from './css';

/** What a browser could mistake for something else, in any order and number. */
const fragments = fc.constantFrom(
  ...['@import', '@media x', '@font-face', ' url(', 'URL(#a)', "url('//x')", 'image-set(', 'expression('],
  ...['a', '.b', ':', 'fill', 'red', '--x', ' ', '\n', '\r', '\f', '"', "'", '\\', '\\72', '\\\n', '\0'],
  ...['{', '}', '(', ')', '[', ']', ';', ',', '/', '*', '/*', '*/', '//', '<!--', '-->', '!important', '#g'],
  ...['a{fill:red}', 'a{fill:', '{fill:url(#g)}', 'http://evil.example/x.css', 'é', 'calc(', 'behavior:'],
);
const styles = fc
  .array(fc.oneof({ weight: 9, arbitrary: fragments }, fc.string({ unit: 'binary' })), { maxLength: 40 })
  .map((parts) => parts.join(''));

const STRING = /"[^"'\\\n{};@/]*"|'[^"'\\\n{};@/]*'/g;
const FETCHES = /url|@|\\|\/\/|\/\*|<|-->|expression\(|image-set|import|[{;]behavior:/i;

describe('cleanStyleSheet', () => {
  it('is not led astray by a string that ends with its line', () => {
    const sheet = `@media x"\n{a{fill:red}}b"; @import 'http://evil.example/x.css'; c\n{fill:red}`;
    expect(cleanStyleSheet(sheet)).not.toMatch(/@|import|evil/);
  });

  it.each([
    ['plain rules', '.st0{fill:#FFF;stroke:url(#g)}', '.st0{fill:#FFF;stroke:url(#g)}'],
    ['fonts', `a{font:12px/1.5 'Open Sans', "B"}`, `a{font:12px/1.5 'Open Sans', "B"}`],
    ['functions', 'a{transform:translate(calc((1px + 2px) * 3),0)}', ''],
    ['what follows an at-rule', '@keyframes k{0%{x:1}}a{x:1}', 'a{x:1}'],
    ['what follows a bad string', 'a{x:"\n}b{x:1}', 'b{x:1}'],
    ['pseudo-classes', 'a:not(.b)[c]{x:1}', 'a:not(.b)[c]{x:1}'],
    ['no other brackets in selectors', 'a(b){x:1}c{x:1}', 'c{x:1}'],
    ['no escapes', 'a{x:u\\72l(#a);y:1}', 'a{y:1}'],
    ['no unknown functions', 'a{x:foo(1);y:(1)}', 'a{y:(1)}'],
    ['no open brackets', 'a{x:rgb(1;y:2}b[{x:1}', 'a{y:2}'],
    ['no nested rules', 'a{x:1;b{y:1}}c{x:1}', 'c{x:1}'],
  ])('keeps %s', (_, sheet, expected) => {
    expect(cleanStyleSheet(sheet)).toBe(expected === '' ? sheet : expected);
  });

  it('gives nothing but plain rules, whatever it is given', () => {
    fc.assert(
      fc.property(styles, (sheet) => {
        const clean = cleanStyleSheet(sheet);
        const bare = clean.replace(/url\(#[-\w.:]+\)/gi, '').replace(STRING, '');
        expect(bare).toMatch(/^(?:[^{}"';]+\{[^{}"']+\})*$/);
        expect(bare).not.toMatch(FETCHES);
        expect(cleanStyleSheet(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('cleanDeclarations', () => {
  it('gives nothing but plain declarations, whatever it is given', () => {
    fc.assert(
      fc.property(styles, (text) => {
        const clean = cleanDeclarations(text);
        const bare = clean.replace(/url\(#[-\w.:]+\)/gi, '').replace(STRING, '');
        expect(bare).toMatch(/^(?:[-\w]+:[^{}"';]+(?:;(?=[-\w])|$))*$/);
        expect(bare).not.toMatch(FETCHES);
        expect(cleanDeclarations(clean)).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });
});
