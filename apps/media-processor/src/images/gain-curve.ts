import { type GainMapEffect, srgbToLight } from '@vitrine/formats';

/** Linear light (0 to 1) for each 8-bit sRGB value. */
export const LIGHT = Float32Array.from({ length: 256 }, (_, code) => srgbToLight(code / 255));

/** The brightened light is `(light + before) * factors[value] - after`, where `value` is the map's 8-bit value. */
export interface Curve {
  readonly before: number;
  readonly after: number;
  readonly factors: Float32Array;
}

/** How a map changes a channel of a picture (0: red) on a screen that applies it with this strength, from 0 to 1. */
export function curveOf(effect: GainMapEffect, channel: number, strength: number): Curve {
  const table = (factorOf: (value: number) => number): Float32Array =>
    Float32Array.from({ length: 256 }, (_, value) => factorOf(value));
  if (effect.kind === 'linear') {
    const { headroom } = effect;
    const gain = strength * (headroom - 1);
    return { before: 0, after: 0, factors: table((value) => 1 + gain * (LIGHT[value] ?? 0)) };
  }
  const { fields } = effect;
  const [low, high] = [numberOf(fields.min, channel), numberOf(fields.max, channel)];
  const exponent = 1 / numberOf(fields.gamma, channel);
  return {
    before: numberOf(fields.offsetSdr, channel),
    after: numberOf(fields.offsetHdr, channel),
    factors: table((value) => 2 ** (strength * (low + (high - low) * (value / 255) ** exponent))),
  };
}

const numberOf = (numbers: readonly number[], channel: number): number => numbers[channel] ?? numbers[0] ?? 0;
