/** ffprobe's names of the values of ITU-T H.273, by their numbers; the libraries have no function for them here. */
const PRIMARIES: Readonly<Record<number, string>> = {
  ...{ 0: 'reserved', 1: 'bt709', 2: 'unknown', 4: 'bt470m', 5: 'bt470bg', 6: 'smpte170m', 7: 'smpte240m' },
  ...{ 8: 'film', 9: 'bt2020', 10: 'smpte428', 11: 'smpte431', 12: 'smpte432', 22: 'ebu3213' },
};
const TRANSFERS: Readonly<Record<number, string>> = {
  ...{ 0: 'reserved', 1: 'bt709', 2: 'unknown', 4: 'bt470m', 5: 'bt470bg', 6: 'smpte170m', 7: 'smpte240m' },
  ...{ 8: 'linear', 9: 'log100', 10: 'log316', 11: 'iec61966-2-4', 12: 'bt1361e', 13: 'iec61966-2-1' },
  ...{ 14: 'bt2020-10', 15: 'bt2020-12', 16: 'smpte2084', 17: 'smpte428', 18: 'arib-std-b67' },
};
const MATRICES: Readonly<Record<number, string>> = {
  ...{
    0: 'gbr',
    1: 'bt709',
    2: 'unknown',
    4: 'fcc',
    5: 'bt470bg',
    6: 'smpte170m',
    7: 'smpte240m',
    8: 'ycgco',
  },
  ...{
    9: 'bt2020nc',
    10: 'bt2020c',
    11: 'smpte2085',
    12: 'chroma-derived-nc',
    13: 'chroma-derived-c',
    14: 'ictcp',
  },
};
const RANGES: Readonly<Record<number, string>> = { 1: 'tv', 2: 'pc' };

const nameIn =
  (names: Readonly<Record<number, string>>) =>
  (value: number): string =>
    names[value] ?? 'unknown';

export const primariesName = nameIn(PRIMARIES);
export const transferName = nameIn(TRANSFERS);
export const matrixName = nameIn(MATRICES);
export const rangeName = nameIn(RANGES);
