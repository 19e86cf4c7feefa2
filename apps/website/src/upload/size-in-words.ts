const KB = 1024;
const MB = 1024 ** 2;

/** Formats a size limit: 104,857,600 bytes are `100 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  return bytes < MB ? `${rounded(bytes / KB)} KB` : `${rounded(bytes / MB)} MB`;
}

/** Rounded down to a tenth, so that a file of the stated size is never too large. */
const rounded = (size: number): number => Math.floor(size * 10) / 10;
