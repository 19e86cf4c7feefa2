const KB = 1024;
const MB = 1024 ** 2;

/** A limit in bytes as people say it: 104,857,600 is `100 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  return bytes < MB ? `${rounded(bytes / KB)} KB` : `${rounded(bytes / MB)} MB`;
}

/** Down to a tenth: a file of the size that is said is never too large. */
const rounded = (size: number): number => Math.floor(size * 10) / 10;
