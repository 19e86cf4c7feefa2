import { parse, Setting } from '@vitrine/runtime';

/** The APIs of other image hosts that the upload host can speak. */
export const DIALECTS = ['imgur', 'chevereto', 'imgbb', 'zipline', 'lsky', 'legacy', 'plain'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** `none`, or names of dialects separated by commas. */
function dialectNames(raw: string): readonly DialectName[] {
  const words = parse.list(raw);
  if (words.length === 1 && words[0] === 'none') return [];
  const isName = (word: string): word is DialectName => DIALECTS.some((name) => name === word);
  if (words.length === 0 || !words.every(isName)) {
    throw new Error(`none, or some of ${DIALECTS.join(', ')} separated by commas`);
  }
  return words;
}

/** Which dialects the upload host speaks. */
export class DialectsConfig {
  @Setting({
    env: 'DIALECTS',
    why: 'APIs of other image hosts that programs may use here, separated by commas; none: only Vitrine’s own API.',
    parse: dialectNames,
    default: DIALECTS,
    example: DIALECTS.join(','),
  })
  dialects!: readonly DialectName[];
}
