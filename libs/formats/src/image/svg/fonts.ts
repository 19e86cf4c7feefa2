import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Face {
  readonly file: string;
  /** Whether a text needs the face. */
  readonly serves: (text: string) => boolean;
}

const always = (): boolean => true;
const inScripts =
  (characters: RegExp): Face['serves'] =>
  (text) =>
    characters.test(text);
/** Characters beyond Latin, Greek, Cyrillic and Hebrew, which the first families have. */
const beyondLatin = inScripts(/[^\0-\u052f\u0590-\u05ff\u1e00-\u1fff\u2000-\u206f\u20a0-\u20bf]/);

const STYLES = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic'];
const google = (family: string, style: string, serves: Face['serves']): Face => {
  const folder = family.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return { file: `@expo-google-fonts/${folder}/${style}/${family}_${style}.ttf`, serves };
};
const dejavu = (name: string, serves: Face['serves']): Face => ({
  file: `dejavu-fonts-ttf/ttf/${name}.ttf`,
  serves,
});
/** These packages export no files but their main one, which lies beside the fonts. */
const noto = (name: string, family: string, serves: Face['serves']): Face[] =>
  ['Regular', 'Bold'].map((weight) => ({
    file: join(dirname(require.resolve(name)), '..', 'fonts', `${family}-${weight}.otf`),
    serves,
  }));

/** In the order in which usvg looks for a character that the named family lacks. */
const FACES: readonly Face[] = [
  ...['Arimo', 'Tinos', 'Cousine'].flatMap((family) => STYLES.map((style) => google(family, style, always))),
  dejavu('DejaVuSans', always),
  dejavu('DejaVuSans-Bold', always),
  dejavu('DejaVuSans-Oblique', beyondLatin),
  dejavu('DejaVuSans-BoldOblique', beyondLatin),
  ...noto(
    '@embedpdf/fonts-sc',
    'NotoSansHans',
    inScripts(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u),
  ),
  ...noto('@embedpdf/fonts-kr', 'NotoSansKR', inScripts(/\p{Script=Hangul}/u)),
  ...['400Regular', '700Bold'].flatMap((style) => [
    google('NotoSansThai', style, inScripts(/\p{Script=Thai}/u)),
    google('NotoSansDevanagari', style, inScripts(/\p{Script=Devanagari}/u)),
  ]),
];

const loaded = new Map<string, Uint8Array>();

/** The font files that these texts need; none without a text. */
export function fontsFor(texts: string): Uint8Array[] {
  if (texts.trim() === '') return [];
  return FACES.filter(({ serves }) => serves(texts)).map(({ file }) => {
    const known = loaded.get(file) ?? readFileSync(require.resolve(file));
    loaded.set(file, known);
    return known;
  });
}

/**
 * Families with the widths of our three (Arimo is metrically Arial, Tinos Times New Roman, Cousine Courier New), and of
 * DejaVu Sans, which Verdana's widths resemble.
 */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/verdana|geneva|dejavu sans$|bitstream vera sans$|tahoma/, 'DejaVu Sans'],
  [/mono|courier|consol|menlo|monaco|code|typewriter|terminal/, 'Cousine'],
  [/sans|arial|helvetica|cursive|fantasy|system-ui|ui-|emoji|math/, 'Arimo'],
  [/serif|times|georgia|garamond|palatino|roman|cambria|book|baskerville|minion|didot|song|ming/, 'Tinos'],
];

/** The family of ours that comes closest to the first one in the list whose kind is known. */
export function nearestFamily(families: string): string {
  for (const family of families.toLowerCase().split(',')) {
    const name = family.replace(/["']/g, '').trim();
    const known = KNOWN.find(([pattern]) => pattern.test(name));
    if (known) return known[1];
  }
  return 'Arimo';
}
