import fc from 'fast-check';
import { cleanDeclarations, cleanStyleSheet } from './css';

/** Parts that a browser could misread, in any order and number. */
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
const FETCHES = /url|@|\\|\/\/|\/\*|<|-->|expression\(|image-set|(?<!!)import|[{;]behavior:/i;

describe('cleanStyleSheet', () => {
  it('ends an unterminated string at the end of its line', () => {
    const sheet = `@media x"\n{a{fill:red}}b"; @import 'http://evil.example/x.css'; c\n{fill:red}`;
    expect(cleanStyleSheet(sheet)).not.toMatch(/@|import|evil/);
  });

  it.each([
    ['plain rules', '.st0{fill:#FFF;stroke:url(#g)}', '.st0{fill:#FFF;stroke:url(#g)}'],
    ['fonts', `a{font:12px/1.5 'Open Sans', "B"}`, `a{font:12px/1.5 'Open Sans', "B"}`],
    ['functions', 'a{fill:rgb(1 2 3 / 50%);stroke:hsl(1,2%,3%)}', ''],
    ['what follows an at-rule', '@keyframes k{0%{r:1}}@media print{a{r:1}}@import "b";a{r:1}', 'a{r:1}'],
    ['what follows a bad string', 'a{r:"\n}b{r:1}', 'b{r:1}'],
    ['pseudo-classes of structure', 'a:not(.b)[c]:first-child{r:1}', ''],
    ['no other brackets in selectors', 'a(b){r:1}a:not(b,c){r:1}c{r:1}', 'c{r:1}'],
    ['no escapes', 'a{r:u\\72l(#a);rx:1}', 'a{rx:1}'],
    ['no unknown functions', 'a{r:foo(1);rx:calc(1px);ry:(1);cx:var(--a);cy:1}', 'a{cy:1}'],
    ['no open brackets', 'a{r:rgb(1;rx:2}b[{r:1}', 'a{rx:2}'],
    ['no nested rules', 'a{r:1;b{r:1}}c{r:1}', 'c{r:1}'],
    [
      'no state of the pointer or the address',
      'a:hover{r:1}b:not(:target){r:1}c::selection{r:1}d:lang(de){r:1}',
      [],
    ],
    ['no animation', 'a{animation:k 1s;transition:r 1s;offset-path:none;--x:1;r:1}', 'a{r:1}'],
    [
      'no place and no edges',
      'svg{overflow:visible;transform:scale(2);x:1px;width:100%;fill:red}',
      'svg{fill:red}',
    ],
    ['no lengths of the window', 'a{r:5vw;rx:1e2dvmax;ry:1cqw;cx:5px}', 'a{cx:5px}'],
    ['no colours of the system', 'a{fill:Canvas;stroke:red;color:ButtonText}', 'a{stroke:red}'],
    [
      'no colours by scheme',
      'a{fill:light-dark(red,blue);color-scheme:dark;stroke:color-mix(in srgb,red,blue)}',
      [],
    ],
  ])('keeps %s', (_, sheet, expected) => {
    expect(cleanStyleSheet(sheet)).toBe(expected === '' ? sheet : String(expected));
  });

  it('returns only plain rules for any text', () => {
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
  it('returns only plain declarations for any text', () => {
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
