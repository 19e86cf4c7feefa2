const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};

function quantity(value: string | number): number {
  const [, digits, unit = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(String(value)) ?? [];
  const factor = UNITS[unit];
  if (digits === undefined || factor === undefined) throw new Error(`${value} is no quantity`);
  return Number(digits) * factor;
}

/** Bytes of memory or disk, from e.g. `512Mi`. */
export const bytes = (value: string | number): number => quantity(value);

/** CPU cores, from e.g. `250m` or `2`. */
export const millicores = (value: string | number): number => quantity(value) * 1000;

/** Seconds, from HAProxy's notation: `120s`, `2m`. NaN for anything else. */
export function seconds(value: string): number {
  const [, digits, unit] = /^(\d+)([sm])$/.exec(value) ?? [];
  return Number(digits) * (unit === 'm' ? 60 : 1);
}
