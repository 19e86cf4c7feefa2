import type { JSX } from 'preact';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Shows how long ago a time (ISO 8601) was, with the exact time as a tooltip. */
export function RelativeTime({ at }: { readonly at: string }): JSX.Element {
  return (
    <time datetime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>
      {relativeTimeText((new Date(at).getTime() - Date.now()) / 1000)}
    </time>
  );
}

/** A number of seconds from now (negative: in the past) in words. */
function relativeTimeText(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [null, 1];
  return unit === null ? 'just now' : format.format(Math.trunc(seconds / length), unit);
}
