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

/** How long ago an instant (ISO 8601) was, in words; the exact time as its tooltip. */
export function Ago({ at }: { readonly at: string }): JSX.Element {
  return (
    <time datetime={at} title={at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}>
      {inWords((new Date(at).getTime() - Date.now()) / 1000)}
    </time>
  );
}

/** Seconds from now, negative in the past, in words. */
export function inWords(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? [null, 1];
  return unit === null ? 'just now' : format.format(Math.trunc(seconds / length), unit);
}
