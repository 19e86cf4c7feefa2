const format = new Intl.NumberFormat('en');

/** `1 view`, `1,204 views`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${format.format(count)} ${count === 1 ? one : many}`;

const KB = 1024;
const MB = 1024 ** 2;
const GB = 1024 ** 3;
const TB = 1024 ** 4;

/** Formats a size: 104,857,600 bytes are `100 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  if (bytes < MB) return `${rounded(bytes / KB)} KB`;
  if (bytes < GB) return `${rounded(bytes / MB)} MB`;
  return bytes < TB ? `${rounded(bytes / GB)} GB` : `${rounded(bytes / TB)} TB`;
}

/** Rounded down to a tenth, so that a file of the stated size is never too large. */
const rounded = (size: number): number => Math.floor(size * 10) / 10;

/** A number of seconds in words; from two minutes on in whole minutes or hours, rounded up. */
export function durationInWords(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
