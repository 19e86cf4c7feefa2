/** The lifetimes that the form offers, in days; null: no expiry. */
export const LIFETIMES = {
  never: { label: 'Never', days: null },
  week: { label: 'In a week', days: 7 },
  month: { label: 'In 30 days', days: 30 },
  quarter: { label: 'In 90 days', days: 90 },
  year: { label: 'In a year', days: 365 },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly days: number | null }>>;

const DAY_MS = 86_400_000;
const CALENDAR_DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * The date and time (ISO 8601) at which a token expires, from the form's values: a name of `LIFETIMES`, or `day` with a
 * date (YYYY-MM-DD). Null: never; undefined: the values are invalid. It is the end of a day (UTC), so that a form that
 * is sent twice requests the same.
 */
export function expiryOf(choice: string, day: string, now: Date = new Date()): string | null | undefined {
  if (choice === 'day') return CALENDAR_DAY.test(day) ? endOf(day) : undefined;
  if (!Object.hasOwn(LIFETIMES, choice)) return undefined;
  const { days } = LIFETIMES[choice as keyof typeof LIFETIMES];
  if (days === null) return null;
  return endOf(new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10));
}

const endOf = (day: string): string => `${day}T23:59:59Z`;
