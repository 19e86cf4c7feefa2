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
