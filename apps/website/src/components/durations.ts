/** A number of seconds in words; from two minutes on in whole minutes or hours, rounded up. */
export function durationInWords(seconds: number): string {
  if (seconds === 1) return '1 second';
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
