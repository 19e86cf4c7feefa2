/** Light (0 to 1) of a value (0 to 1) of sRGB (IEC 61966-2-1). */
export const srgbToLight = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** The value of sRGB (0 to 1) for light from 0 to 1. */
export const lightToValue = (light: number): number =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

/** The 8-bit code of sRGB for light from 0 to 1. */
export const lightToSrgb = (light: number): number => Math.round(255 * lightToValue(light));
