import { AV_NOPTS_VALUE, AV_ROUND_NEAR_INF, AV_ROUND_PASS_MINMAX } from 'node-av/constants';
import { avRescaleQRnd, type IRational } from 'node-av/lib';

export const NONE = AV_NOPTS_VALUE;
export const MICROSECONDS: IRational = { num: 1, den: 1_000_000 };

const ROUNDING = AV_ROUND_NEAR_INF | AV_ROUND_PASS_MINMAX;

/** Converts a timestamp between time bases, to the nearest; `NONE` stays. */
export const rescale = (time: bigint, from: IRational, to: IRational): bigint =>
  avRescaleQRnd(time, from, to, ROUNDING);

export const toDouble = ({ num, den }: IRational): number => num / den;

/** Whether a rate or a time base is known. */
export const isKnown = ({ num, den }: IRational): boolean => num > 0 && den > 0;

/** Microseconds in seconds, or in `[hours:]minutes:seconds`. */
export function readDuration(text: string): bigint {
  const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return BigInt(Math.round(seconds * 1_000_000));
}
