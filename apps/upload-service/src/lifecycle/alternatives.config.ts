import { ALTERNATIVES_SECONDS_SETTING, Setting } from '@vitrine/runtime';

/** Whether WebP and AVIF are made. */
export class AlternativesConfig {
  @Setting(ALTERNATIVES_SECONDS_SETTING)
  secondsPerHour!: number;
}
